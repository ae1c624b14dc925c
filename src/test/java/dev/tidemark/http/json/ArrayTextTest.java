package dev.tidemark.http.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotBlank;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArrayTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '`',
            value = {
                "{} []",
                "{a} [\"a\"]",
                "{a,NULL,b} [\"a\",null,\"b\"]",
                "{\"NULL\",null} [\"NULL\",\"null\"]",
                "{{a,b},{c,d}} [[\"a\",\"b\"],[\"c\",\"d\"]]",
                "{\"\"} [\"\"]",
                "{\"a,b\",\"{}\"} [\"a,b\",\"{}\"]",
                "{\"\\\"\",\"\\\\\"} [\"\\\"\",\"\\\\\"]",
                "[0:1]={a,b} [\"a\",\"b\"]",
                "[-1:0][2:3]={{a,b},{c,d}} [[\"a\",\"b\"],[\"c\",\"d\"]]"
            })
    void anArrayBecomesAJsonArray(String text, String json) {
        assertThat(write(text)).isEqualTo(json);
    }

    @Property
    void elementsOfAnyCharactersAreWrittenCorrectly(@ForAll List<@NotBlank String> elements) {
        StringBuilder text = new StringBuilder("{");
        for (String element : elements) {
            text.append(text.length() > 1 ? "," : "")
                    .append('"')
                    .append(element.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        String expected = JacksonText.of(json -> {
            json.writeStartArray();
            for (String element : elements) {
                json.writeString(element);
            }
            json.writeEndArray();
        });
        assertThat(write(text.append('}').toString())).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{a", "{\"a", "a", "{a}b", "{{a}"})
    void textThatIsNotAnArrayIsRejected(String text) {
        assertThatThrownBy(() -> write(text)).isInstanceOf(IllegalStateException.class);
    }

    private static String write(String text) {
        JsonBytes json = new JsonBytes(8);
        ArrayText.write(json, text, JsonBytes::string);
        byte[] written = json.toBytes();
        return new String(written, StandardCharsets.UTF_8);
    }
}
