package dev.tidemark.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.ColumnType.Scalar;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the canonical text of a client's value must be beside right: the same on every Java, and cheap. */
class FilterValueTest {

    /** Up to 18, Java writes some numbers with more digits than it takes: a cursor of one Java is then none of another. */
    @Test
    void a_float_has_the_same_text_on_every_java() {
        assertThat(parse(Scalar.DOUBLE, "2e23")).isEqualTo("2.0E23");
        assertThat(parse(Scalar.DOUBLE, "1e23")).isEqualTo("1.0E23");
        assertThat(parse(Scalar.REAL, "1.1754944e-38")).isEqualTo("1.1754944E-38");
    }

    /** It runs on an event loop. The URL of 16 kB is the only bound of its length. */
    @Test
    void the_longest_number_that_fits_into_a_url_is_read_in_a_few_milliseconds() {
        String number = "1" + "0".repeat(15_900);
        long start = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            parse(Scalar.NUMERIC, number);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(500));
    }

    private static String parse(Scalar type, String text) {
        return ValueParser.parse(new Column("value", type, "any", false), text);
    }
}
