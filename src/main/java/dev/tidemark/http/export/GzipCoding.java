package dev.tidemark.http.export;

import dev.tidemark.http.edge.ContentCoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Compresses a stream with gzip, part by part. A client can decompress each part as soon as the part arrives. */
final class GzipCoding implements AutoCloseable {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
    private final Gzip gzip;

    GzipCoding() {
        try {
            gzip = new Gzip(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Gzip extends GZIPOutputStream {

        Gzip(ByteArrayOutputStream bytes) throws IOException {
            super(bytes, 4 * 1024, true);
            def.setLevel(ContentCoding.GZIP_LEVEL);
        }
    }

    byte[] encode(byte[] part) {
        try {
            gzip.write(part);
            gzip.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return drain();
    }

    /** Closes this object, and returns the bytes that end the stream. */
    byte[] finish() {
        close();
        return drain();
    }

    private byte[] drain() {
        byte[] drained = bytes.toByteArray();
        bytes.reset();
        return drained;
    }

    /** Releases native memory. Idempotent. */
    @Override
    public void close() {
        try {
            gzip.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
