package dev.tidemark.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JsonBytes writes the same bytes as Jackson's generator. */
class JsonBytesTest {

    @Property
    void textOfAnyCharactersIsEscapedCorrectly(@ForAll @StringLength(max = 70) String text) {
        // A text from PostgreSQL has no unpaired surrogates.
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(string(whole)).isEqualTo(JacksonText.of(json -> json.writeString(whole)));
    }

    @Property
    void textFullOfSpecialCharactersIsEscapedCorrectly(
            @ForAll @StringLength(max = 70) @CharRange(from = 0, to = '#') @CharRange(from = '[', to = ']')
                    String text) {
        assertThat(string(text)).isEqualTo(JacksonText.of(json -> json.writeString(text)));
    }

    @Test
    void everySpecialCharacterIsEscapedAtEveryOffsetOfAWord() {
        for (char c = 0; c <= 0x100; c++) {
            for (int before = 0; before < 20; before++) {
                String text = "x".repeat(before) + c + "yyyyyyyyyyyy";
                assertThat(string(text)).isEqualTo(JacksonText.of(json -> json.writeString(text)));
            }
        }
    }

    /**
     * The bytes before and after a text in a buffer must not be mistaken for a part of the text, even if it is near
     * the end of the buffer.
     */
    @Test
    void textOfAnyLengthIsWrittenAtAnyOffsetOfABuffer() {
        for (String around : new String[] {"\"", "\0", "\\", "z"}) {
            for (int length = 0; length < 20; length++) {
                for (int after = 0; after < 10; after++) {
                    byte[] buffer = (around.repeat(3) + "t".repeat(length) + around.repeat(after))
                            .getBytes(StandardCharsets.UTF_8);
                    assertThat(text(new JsonBytes(1).string(buffer, 3, length).raw('!')))
                            .isEqualTo('"' + "t".repeat(length) + "\"!");
                }
            }
        }
    }

    @Test
    void shortTextsInABufferAreEscapedCorrectly() {
        for (char c = 0; c <= 0x100; c++) {
            for (int before = 0; before < 7; before++) {
                String text = "x".repeat(before) + c;
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                byte[] buffer = Arrays.copyOf(utf8, utf8.length + 8);
                assertThat(text(new JsonBytes(1).string(buffer, 0, utf8.length)))
                        .isEqualTo(JacksonText.of(json -> json.writeString(text)));
            }
        }
    }

    @Property
    void numbersAreWrittenCorrectly(@ForAll double number, @ForAll long whole) {
        assertThat(text(new JsonBytes(4).number(number))).isEqualTo(JacksonText.of(json -> json.writeNumber(number)));
        assertThat(text(new JsonBytes(4).number((float) number)))
                .isEqualTo(JacksonText.of(json -> json.writeNumber((float) number)));
        assertThat(text(new JsonBytes(4).number(whole))).isEqualTo(JacksonText.of(json -> json.writeNumber(whole)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 1e22, 1e-7, 100})
    void extremeNumbersAreWrittenCorrectly(double number) {
        assertThat(text(new JsonBytes(4).number(number))).isEqualTo(JacksonText.of(json -> json.writeNumber(number)));
        assertThat(text(new JsonBytes(4).number((float) number)))
                .isEqualTo(JacksonText.of(json -> json.writeNumber((float) number)));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, Integer.MIN_VALUE})
    void extremeIntegersAreWrittenCorrectly(long number) {
        assertThat(text(new JsonBytes(1).number(number))).isEqualTo(Long.toString(number));
    }

    @Property
    void bytesAreWrittenAsBase64(@ForAll byte[] bytes) {
        assertThat(text(new JsonBytes(4).base64(bytes))).isEqualTo(JacksonText.of(json -> json.writeBinary(bytes)));
    }

    private static String string(String text) {
        return text(new JsonBytes(1).string(text));
    }

    private static String text(JsonBytes json) {
        byte[] bytes = json.toBytes();
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
