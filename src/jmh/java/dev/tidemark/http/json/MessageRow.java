package dev.tidemark.http.json;

import dev.tidemark.feed.read.RowValues;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A row of {@code SampleFeeds.messages()} with fixed values, so that the benchmark measures only writing. */
final class MessageRow implements RowValues {

    /** About as long as the subject and the body of a sample message together. */
    private static final String SUBJECT = "Größentabelle für Desk lamp Lumo?\n\n"
            + "This is the second time that I write to you about the same thing. The error says \"something went wrong\""
            + " and gives no number that I could look up.\n\nKind regards";

    private static final byte[] SUBJECT_UTF8 = SUBJECT.getBytes(StandardCharsets.UTF_8);
    private static final byte[] STATUS_UTF8 = "pending".getBytes(StandardCharsets.UTF_8);

    private final long id;

    MessageRow(long id) {
        this.id = id;
    }

    @Override
    public boolean isNull(int column) {
        return column == 4;
    }

    @Override
    public long integer(int column) {
        return id;
    }

    @Override
    public long microsSince2000(int column) {
        return 821_872_800_123_456L + id;
    }

    @Override
    public String text(int column) {
        return column == 2 ? SUBJECT : "pending";
    }

    @Override
    public <T> void writeUtf8(int column, T target, Utf8Writer<T> writer) {
        byte[] utf8 = column == 2 ? SUBJECT_UTF8 : STATUS_UTF8;
        writer.write(target, utf8, 0, utf8.length);
    }

    @Override
    public boolean bool(int column) {
        throw noColumnOfThisType();
    }

    @Override
    public float real(int column) {
        throw noColumnOfThisType();
    }

    @Override
    public double doublePrecision(int column) {
        throw noColumnOfThisType();
    }

    @Override
    public UUID uuid(int column) {
        throw noColumnOfThisType();
    }

    @Override
    public long epochDay(int column) {
        throw noColumnOfThisType();
    }

    @Override
    public byte[] bytes(int column) {
        throw noColumnOfThisType();
    }

    private static IllegalArgumentException noColumnOfThisType() {
        return new IllegalArgumentException("the feed has no column of this type");
    }
}
