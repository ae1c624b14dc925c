package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client splits JSON text into the same parts as Jackson. */
class JsonTextTest {

    private static final ObjectMapper JACKSON = new ObjectMapper();
    private static final ObjectWriter INDENTED = JACKSON.writerWithDefaultPrettyPrinter();

    @Property(tries = 300)
    void theMembersOfAnObjectAreThoseThatJacksonFinds(@ForAll("objects") JsonNode object) throws Exception {
        for (String text : List.of(object.toString(), INDENTED.writeValueAsString(object))) {
            Map<String, String> members = JsonText.members(text);
            assertThat(members).hasSize(object.size());
            members.forEach((name, value) -> assertThat(read(value)).isEqualTo(object.get(name)));
        }
    }

    @Property(tries = 300)
    void theElementsOfAnArrayAreThoseThatJacksonFinds(@ForAll("arrays") JsonNode array) throws Exception {
        for (String text : List.of(array.toString(), INDENTED.writeValueAsString(array))) {
            assertThat(JsonText.elements(text).stream().map(JsonTextTest::read)).containsExactlyElementsOf(array);
        }
    }

    @Property(tries = 300)
    void theCharactersOfAStringAreThoseThatJacksonReads(@ForAll String characters) throws Exception {
        assertThat(JsonText.string(JACKSON.writeValueAsString(characters))).isEqualTo(characters);
    }

    @Test
    void everyEscapeIsDecoded() {
        assertThat(JsonText.string("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\ude00\""))
                .isEqualTo("\"\\/\b\f\n\r\té😀");
    }

    @Test
    void deepNestingDoesNotOverflowTheStack() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertThat(JsonText.elements(deep)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[]",
                "null",
                "\"a\"",
                "<html></html>",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1",
                "{\"a\":1,}",
                "{\"a\":1}}",
                "{\"a\":\"",
                "{\"a\":\"\\",
                "{\"a\":[}",
                "{a:1}",
                "{,}",
                "{\"a\":1 2}",
                "{:1}"
            })
    void textThatIsNotAnObjectIsRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonText.members(text));
    }

    @Provide
    Arbitrary<JsonNode> objects() {
        return Arbitraries.maps(Arbitraries.strings().ofMaxLength(10), Arbitraries.lazy(this::values))
                .ofMaxSize(4)
                .map(members -> JACKSON.createObjectNode().setAll(members));
    }

    @Provide
    Arbitrary<JsonNode> arrays() {
        return Arbitraries.lazy(this::values).list().ofMaxSize(4).map(elements -> JACKSON.createArrayNode()
                .addAll(elements));
    }

    private Arbitrary<JsonNode> values() {
        return Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.strings().ofMaxLength(10).map(TextNode::valueOf)),
                Tuple.of(2, Arbitraries.of("\\\"", "]}", "[{,:", "\\").map(TextNode::valueOf)),
                Tuple.of(2, Arbitraries.integers().map(IntNode::valueOf)),
                Tuple.of(1, Arbitraries.of(BooleanNode.TRUE, NullNode.instance, JACKSON.createArrayNode())),
                Tuple.of(1, arrays()),
                Tuple.of(1, objects()));
    }

    private static JsonNode read(String json) {
        try {
            return JACKSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }
}
