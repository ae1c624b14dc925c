package dev.tidemark.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvFieldsTest {

    @Property
    void textOfAnyCharactersIsAField(@ForAll @StringLength(max = 70) String text) {
        // A text from PostgreSQL has no unpaired surrogates.
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(fieldOfText(whole)).isEqualTo(field(whole));
    }

    @Property
    void textFullOfSpecialCharactersIsAField(
            @ForAll @StringLength(max = 70) @CharRange(from = 0, to = '-') @CharRange(from = '[', to = ']')
                    String text) {
        assertThat(fieldOfText(text)).isEqualTo(field(text));
    }

    @Property
    void jsonIsAFieldWithItsText(
            @ForAll @StringLength(max = 70) @CharRange(from = '!', to = '-') @CharRange(from = '[', to = ']')
                    String text) {
        // As the text of a whole document, and as that of an array that begins with a bracket.
        assertThat(convert(json -> CsvFields.quote(json.raw(text), 1))).isEqualTo(text.isEmpty() ? "" : field(text));
        assertThat(convert(json -> CsvFields.convertValue(json.raw('[' + text), 1)))
                .isEqualTo(field('[' + text));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "12.50, 12.50",
                "true, true",
                "a b, a b",
                "' a ', ' a '",
                "'', '\"\"'",
                "'a,b', '\"a,b\"'",
                "'say \"hi\"', '\"say \"\"hi\"\"\"'",
                "a\\b, a\\b",
                "=1+1, =1+1",
                "\\., '\"\\.\"'",
                "a\\., a\\."
            })
    void onlyFieldsThatNeedItHaveQuotes(String text, String field) {
        assertThat(fieldOfText(text)).isEqualTo(field);
    }

    /** What RFC 4180 says, and in quotes an empty string, because NULL has none, and what COPY reads as the end. */
    private static String field(String text) {
        return text.isEmpty() || text.equals("\\.") || text.matches("(?s).*[,\"\r\n].*")
                ? '"' + text.replace("\"", "\"\"") + '"'
                : text;
    }

    private static String fieldOfText(String text) {
        return convert(json -> CsvFields.convertValue(json.string(text), 1));
    }

    /** Converts what the writer writes after one other byte, in a buffer that has to grow. */
    private static String convert(Consumer<JsonBytes> writer) {
        JsonBytes json = new JsonBytes(1).raw('!');
        writer.accept(json);
        String converted = new String(json.toBytes(), StandardCharsets.UTF_8);
        assertThat(converted).startsWith("!");
        return converted.substring(1);
    }
}
