package dev.tidemark.http.bodies;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class GzipStreamTest {

    @Test
    void eachPartCanBeDecompressedOnArrival() throws IOException {
        ByteArrayOutputStream arrived = new ByteArrayOutputStream();
        try (GzipStream gzip = new GzipStream()) {
            arrived.write(gzip.encode(bytes("first part\n")));
            assertThat(read(arrived, 11)).isEqualTo("first part\n");
            arrived.write(gzip.encode(bytes("second part\n")));
            assertThat(read(arrived, 23)).isEqualTo("first part\nsecond part\n");
            arrived.write(gzip.finish());
        }
        assertThat(new GZIPInputStream(new ByteArrayInputStream(arrived.toByteArray())).readAllBytes())
                .asString()
                .isEqualTo("first part\nsecond part\n");
    }

    private static String read(ByteArrayOutputStream arrived, int count) throws IOException {
        var in = new GZIPInputStream(new ByteArrayInputStream(arrived.toByteArray()));
        return new String(in.readNBytes(count), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
