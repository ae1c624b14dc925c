package dev.tidemark.http.bodies;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Compresses a stream with gzip, part by part. A client can decompress each part as soon as the part arrives. */
public final class GzipStream implements AutoCloseable {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
    private final GZIPOutputStream gzip;

    public GzipStream() {
        try {
            gzip = ContentCoding.gzip(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public byte[] encode(byte[] part) {
        try {
            gzip.write(part);
            gzip.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return drain();
    }

    /** Closes this object, and returns the bytes that end the stream. */
    public byte[] finish() {
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
