package dev.tidemark.http.openapi.example;

import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.feed.value.TemporalText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A made-up row.
 *
 * @param values in PostgreSQL's text format
 */
record ExampleRow(List<@Nullable String> values) implements RowValues {

    static ExampleRow of(Feed feed) {
        List<@Nullable String> values = new ArrayList<>();
        feed.columns().forEach(column -> values.add(ExampleValues.of(column)));
        for (Embed embed : feed.embeds()) {
            values.add("t");
            embed.columns().forEach(column -> values.add(ExampleValues.of(column)));
        }
        return new ExampleRow(values);
    }

    @Override
    public boolean isNull(int column) {
        return values.get(column) == null;
    }

    @Override
    public boolean bool(int column) {
        return text(column).equals("t");
    }

    @Override
    public long integer(int column) {
        return Long.parseLong(text(column));
    }

    @Override
    public float real(int column) {
        return Float.parseFloat(text(column));
    }

    @Override
    public double doublePrecision(int column) {
        return Double.parseDouble(text(column));
    }

    @Override
    public UUID uuid(int column) {
        return UUID.fromString(text(column));
    }

    @Override
    public long epochDay(int column) {
        return TemporalText.parseDate(text(column));
    }

    @Override
    public long microsSince2000(int column) {
        String text = text(column);
        return TemporalText.parseTimestamp(text, text.endsWith("+00"));
    }

    @Override
    public byte[] bytes(int column) {
        return HexFormat.of().parseHex(text(column).substring(2));
    }

    @Override
    public String text(int column) {
        return Objects.requireNonNull(values.get(column));
    }

    @Override
    public <T> void writeUtf8(int column, T target, Utf8Writer<T> writer) {
        byte[] bytes = text(column).getBytes(StandardCharsets.UTF_8);
        writer.write(target, bytes, 0, bytes.length);
    }
}
