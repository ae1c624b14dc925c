package dev.tidemark.postgres.wire;

import dev.tidemark.feed.read.OversizedValueException;
import dev.tidemark.postgres.rows.StatementRow;
import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.IntPredicate;

/**
 * A row as PostgreSQL sends it, with its values in the binary format that the driver requests. Most of a page is text.
 * Text is UTF-8 both in the wire format and in the response, so {@link #writeUtf8} passes it on without decoding it.
 * An instance is reused for many rows.
 *
 * <p>See "DataRow" in PostgreSQL's
 * <a href="https://www.postgresql.org/docs/current/protocol-message-formats.html">message formats</a>.
 * {@code ColumnTypes.output} requests only types that this class understands.
 */
final class WireRow extends StatementRow {

    private static final VarHandle SHORT = bigEndian(short[].class);
    private static final VarHandle INT = bigEndian(int[].class);
    private static final VarHandle LONG = bigEndian(long[].class);

    /** A longer array, which only a long row needs, is not reused for the next row. */
    private static final int MAX_REUSED_BYTES = 64 * 1024;

    /** The start of a value that was not kept because of its size, or because it is not read. */
    private static final int OMITTED = -1;

    private byte[] bytes = new byte[512];
    private int length;
    private int columnCount;
    private int[] starts = new int[16];
    private int[] lengths = new int[16];

    private static VarHandle bigEndian(Class<?> arrayType) {
        return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.BIG_ENDIAN);
    }

    /**
     * @param in positioned at the row's number of columns
     * @param length the number of bytes of the row, all of which are read
     */
    void read(ByteBuf in, int length) {
        if (bytes.length < length || bytes.length > MAX_REUSED_BYTES) {
            bytes = new byte[Math.max(length, 512)];
        }
        in.readBytes(bytes, 0, length);
        this.length = length;
        int columns = (short) SHORT.get(bytes, 0);
        columnCount = columns;
        if (starts.length < columns) {
            starts = new int[columns];
            lengths = new int[columns];
        }
        int offset = Short.BYTES;
        for (int i = 0; i < columns; i++) {
            lengths[i] = (int) INT.get(bytes, offset);
            offset += Integer.BYTES;
            starts[i] = offset;
            offset += Math.max(0, lengths[i]);
        }
    }

    /** Begins a row that is read value by value. */
    void begin(int columns) {
        columnCount = columns;
        length = 0;
        bytes = new byte[512];
        starts = new int[columns];
        lengths = new int[columns];
    }

    /** Adds a value whose bytes are passed to {@link #append}. */
    void addValue(int column, int valueLength) {
        starts[column] = length;
        lengths[column] = valueLength;
    }

    /** Adds a value without its bytes. */
    void addOmittedValue(int column, int valueLength) {
        starts[column] = OMITTED;
        lengths[column] = valueLength;
    }

    void append(ByteBuf in, int count) {
        makeRoom(count);
        in.readBytes(bytes, length, count);
        length += count;
    }

    private void append(byte[] from, int start, int count) {
        makeRoom(count);
        System.arraycopy(from, start, bytes, length, count);
        length += count;
    }

    private void makeRoom(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }

    int length() {
        return length;
    }

    private int startOfKept(int column) {
        int start = starts[column];
        if (start == OMITTED) {
            throw new OversizedValueException();
        }
        return start;
    }

    @Override
    public StatementRow copy(IntPredicate columns) {
        WireRow copy = new WireRow();
        copy.begin(columnCount);
        for (int i = 0; i < columnCount; i++) {
            if (starts[i] == OMITTED || !columns.test(i)) {
                copy.addOmittedValue(i, lengths[i]);
            } else {
                copy.addValue(i, lengths[i]);
                copy.append(bytes, starts[i], size(i));
            }
        }
        copy.bytes = Arrays.copyOf(copy.bytes, copy.length);
        return copy;
    }

    @Override
    public boolean isNull(int column) {
        return lengths[column] < 0;
    }

    @Override
    public boolean bool(int column) {
        return bytes[starts[column]] != 0;
    }

    @Override
    public long integer(int column) {
        int start = starts[column];
        return switch (lengths[column]) {
            case Short.BYTES -> (short) SHORT.get(bytes, start);
            case Integer.BYTES -> (int) INT.get(bytes, start);
            default -> (long) LONG.get(bytes, start);
        };
    }

    @Override
    public float real(int column) {
        return Float.intBitsToFloat((int) INT.get(bytes, starts[column]));
    }

    @Override
    public double doublePrecision(int column) {
        return Double.longBitsToDouble((long) LONG.get(bytes, starts[column]));
    }

    @Override
    public UUID uuid(int column) {
        return new UUID((long) LONG.get(bytes, starts[column]), (long) LONG.get(bytes, starts[column] + Long.BYTES));
    }

    @Override
    public long epochDay(int column) {
        int days = (int) INT.get(bytes, starts[column]);
        return switch (days) {
            case Integer.MAX_VALUE -> INFINITY;
            case Integer.MIN_VALUE -> MINUS_INFINITY;
            default -> days + POSTGRES_EPOCH_DAY;
        };
    }

    @Override
    public long microsSince2000(int column) {
        return (long) LONG.get(bytes, starts[column]);
    }

    @Override
    public byte[] bytes(int column) {
        int start = startOfKept(column);
        return Arrays.copyOfRange(bytes, start, start + lengths[column]);
    }

    @Override
    public int size(int column) {
        return Math.max(0, lengths[column]);
    }

    @Override
    public String text(int column) {
        return new String(bytes, startOfKept(column), lengths[column], StandardCharsets.UTF_8);
    }

    @Override
    public <T> void writeUtf8(int column, T target, Utf8Writer<T> writer) {
        writer.write(target, bytes, startOfKept(column), lengths[column]);
    }
}
