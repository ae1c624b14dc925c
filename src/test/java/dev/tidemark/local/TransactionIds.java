package dev.tidemark.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Sets the next transaction id of a stopped server, as {@code pg_resetwal -e -x -u} does; the embedded PostgreSQL does
 * not contain that program. When the server starts, it reads the id from the copy of its last checkpoint in the
 * control file.
 */
final class TransactionIds {

    /** The version of {@code pg_control} in PostgreSQL 17, which the offsets below belong to. */
    private static final int CONTROL_VERSION = 1700;

    private static final int NEXT_OFFSET = 64;
    private static final int OLDEST_OFFSET = 84;

    private TransactionIds() {}

    /** @param next 64 bits, including the epoch; the oldest id in use becomes this id minus 1000 */
    static void setNext(Path data, long next) throws IOException {
        Path file = data.resolve("global/pg_control");
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer control = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (control.getInt(8) != CONTROL_VERSION) {
            throw new IllegalStateException("pg_control has version " + control.getInt(8));
        }
        int checksumOffset = 0;
        while (control.getInt(checksumOffset) != checksum(bytes, checksumOffset)) {
            checksumOffset += Integer.BYTES;
        }
        control.putLong(NEXT_OFFSET, next);
        control.putInt(OLDEST_OFFSET, (int) (next - 1000));
        control.putInt(checksumOffset, checksum(bytes, checksumOffset));
        Files.write(file, bytes);
        // The server requires the file with the states of the transactions around the next id to exist.
        Path states = data.resolve("pg_xact").resolve("%04X".formatted((next & 0xFFFFFFFFL) >> 20));
        if (Files.notExists(states)) {
            Files.write(states, new byte[256 << 10]);
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
