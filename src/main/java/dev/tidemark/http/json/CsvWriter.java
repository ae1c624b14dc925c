package dev.tidemark.http.json;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.RowValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of a feed as lines of CSV (RFC 4180). The columns of an embed stand in its place, with names such as
 * {@code author.name}. NULL is an empty field, also in all columns of an embedded row that does not exist; an empty
 * string is {@code ""}.
 */
public final class CsvWriter extends RowWriter {

    /**
     * A column.
     *
     * @param isJson whether its values are JSON documents, whose text can be a string in quotes
     * @param isKey whether it is a column of the feed's key, which is never left out
     */
    private record Field(int index, String name, ColumnWriter writer, boolean isJson, boolean isKey) {

        static Field of(int index, Column column, String prefix, boolean isKey) {
            return new Field(
                    index, prefix + column.name(), ColumnWriter.of(column), column.type() == Scalar.JSON, isKey);
        }
    }

    private final Field[] fields;

    private CsvWriter(Field[] fields) {
        this.fields = fields;
    }

    /** @param names columns and embeds, in the sequence of the fields; empty for all in the sequence of the feed */
    public static CsvWriter of(Feed feed, Optional<Set<String>> names) {
        Map<String, List<Field>> fields = new LinkedHashMap<>();
        int index = 0;
        for (Column column : feed.columns()) {
            boolean isKey = feed.relation().key().contains(column);
            fields.put(column.name(), List.of(Field.of(index++, column, "", isKey)));
        }
        for (Embed embed : feed.embeds()) {
            // The first value says whether the row exists. If it does not, its columns are NULL.
            index++;
            List<Field> embedded = new ArrayList<>();
            for (Column column : embed.columns()) {
                embedded.add(Field.of(index++, column, embed.name() + '.', false));
            }
            fields.put(embed.name(), embedded);
        }
        return new CsvWriter(names.orElse(fields.keySet()).stream()
                .flatMap(name -> Objects.requireNonNull(fields.get(name)).stream())
                .toArray(Field[]::new));
    }

    /** Writes the line with the names of the columns. */
    public void writeHeader(JsonBytes csv) {
        for (int i = 0; i < fields.length; i++) {
            csv.raw(i == 0 ? "" : ",");
            int start = csv.length();
            csv.string(fields[i].name);
            CsvFields.convertValue(csv, start);
        }
        csv.raw("\r\n");
    }

    @Override
    void write(JsonBytes csv, RowValues row, @Nullable BitSet omitted) {
        for (int i = 0; i < fields.length; i++) {
            Field field = fields[i];
            if (i > 0) {
                csv.raw(',');
            }
            if (row.isNull(field.index) || omitted != null && omitted.get(field.index)) {
                continue;
            }
            int start = csv.length();
            field.writer.write(csv, row, field.index);
            if (field.isJson) {
                CsvFields.quote(csv, start);
            } else {
                CsvFields.convertValue(csv, start);
            }
        }
        csv.raw("\r\n");
    }

    @Override
    Stream<Value> omittableValues() {
        return Arrays.stream(fields).filter(field -> !field.isKey).map(field -> new Value(field.index, field.name));
    }

    @Override
    Optional<String> onlyColumn() {
        return fields.length == 1 ? Optional.of(fields[0].name) : Optional.empty();
    }

    @Override
    boolean reads(int index) {
        return Arrays.stream(fields).anyMatch(field -> field.index == index);
    }
}
