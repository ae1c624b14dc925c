package dev.tidemark.http.json;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.RowValues;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of a feed as JSON objects. Members are in the order of the feed's columns and then of its embeds,
 * regardless of the order in {@code fields}, so that requests for the same fields get identical bytes.
 */
public final class ItemWriter extends RowWriter {

    /**
     * A member of an item.
     *
     * @param index the index in a row of its column, or of the first value of its embed
     * @param prefix a comma, the name and a colon, ready to write
     * @param writer writes a column
     * @param embedded writes the row of an embed; null for a column
     * @param isKey whether it is a column of the feed's key, which is never left out
     */
    private record Member(
            int index,
            int valueCount,
            String name,
            byte[] prefix,
            @Nullable ColumnWriter writer,
            @Nullable ItemWriter embedded,
            boolean isKey) {

        static Member of(int index, Column column, boolean isKey) {
            return new Member(index, 1, column.name(), prefix(column.name()), ColumnWriter.of(column), null, isKey);
        }

        /** The member is null if its first value is, which says whether the embedded row exists. */
        static Member of(int index, Embed embed) {
            ItemWriter row = new ItemWriter(ofColumns(index + 1, embed.columns(), List.of()));
            return new Member(index, embed.valueCount(), embed.name(), prefix(embed.name()), null, row, false);
        }

        private static byte[] prefix(String name) {
            return JsonBytes.bytesOf(json -> json.raw(',').string(name).raw(':'));
        }

        static List<Member> ofColumns(int firstIndex, List<Column> columns, List<Column> key) {
            return IntStream.range(0, columns.size())
                    .mapToObj(i -> of(firstIndex + i, columns.get(i), key.contains(columns.get(i))))
                    .toList();
        }

        Stream<Value> omittableValues() {
            if (isKey) {
                return Stream.empty();
            }
            return embedded == null
                    ? Stream.of(new Value(index, name))
                    : embedded.members.stream().map(column -> new Value(column.index, name + '.' + column.name));
        }
    }

    private final List<Member> members;
    /** The members as an array, because they are iterated over for every row. */
    private final Member[] membersArray;

    private ItemWriter(List<Member> members) {
        this.members = members;
        this.membersArray = members.toArray(new Member[0]);
    }

    public static ItemWriter of(Feed feed) {
        List<Member> members = new ArrayList<>(
                Member.ofColumns(0, feed.columns(), feed.relation().key()));
        int index = feed.columns().size();
        for (Embed embed : feed.embeds()) {
            members.add(Member.of(index, embed));
            index += embed.valueCount();
        }
        return new ItemWriter(members);
    }

    /** Returns a writer of only these columns and embeds. */
    public ItemWriter withColumns(Set<String> columns) {
        return new ItemWriter(members.stream()
                .filter(member -> columns.contains(member.name()))
                .toList());
    }

    @Override
    Stream<Value> omittableValues() {
        return members.stream().flatMap(Member::omittableValues);
    }

    @Override
    Optional<String> onlyColumn() {
        return members.size() == 1 ? Optional.of(members.get(0).name) : Optional.empty();
    }

    @Override
    boolean reads(int index) {
        return members.stream().anyMatch(member -> member.index <= index && index < member.index + member.valueCount);
    }

    public void write(JsonBytes json, RowValues row) {
        write(json, row, null);
    }

    @Override
    void write(JsonBytes json, RowValues row, @Nullable BitSet omitted) {
        int start = json.length();
        for (Member member : membersArray) {
            json.raw(member.prefix);
            if (row.isNull(member.index) || omitted != null && omitted.get(member.index)) {
                json.nullValue();
            } else if (member.writer != null) {
                member.writer.write(json, row, member.index);
            } else {
                Objects.requireNonNull(member.embedded).write(json, row, omitted);
            }
        }
        json.raw('}').overwrite(start, '{');
    }
}
