package dev.tidemark.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerTimingTest {

    @ParameterizedTest
    @CsvSource({
        "0, db;dur=0.000",
        "999, db;dur=0.000",
        "1000, db;dur=0.001",
        "12345, db;dur=0.012",
        "123456, db;dur=0.123",
        "1234567, db;dur=1.234",
        "5000000000, db;dur=5000.000"
    })
    void durationsAreMillisecondsWithThreeDecimals(long nanos, String header) {
        assertThat(ServerTiming.header(nanos)).isEqualTo(header);
    }
}
