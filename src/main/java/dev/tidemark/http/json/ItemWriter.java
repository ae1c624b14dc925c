package dev.tidemark.http.json;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.OversizedValueException;
import dev.tidemark.feed.read.RowValues;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Writes the rows of a feed as JSON objects. Members are in the order of the feed's columns, regardless of the order in
 * {@code fields}, so that requests for the same fields get identical bytes.
 */
public final class ItemWriter {

    /**
     * A member of an item.
     *
     * @param index the index of its column in a row
     * @param prefix a comma, the name and a colon, ready to write
     */
    private record Member(int index, String name, byte[] prefix, ColumnWriter writer) {

        public static Member of(int index, Column column) {
            byte[] prefix = JsonBytes.bytesOf(
                    json -> json.raw(',').string(column.name()).raw(':'));
            return new Member(index, column.name(), prefix, ColumnWriter.of(column));
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
        List<Column> columns = feed.columns();
        return new ItemWriter(IntStream.range(0, columns.size())
                .mapToObj(index -> Member.of(index, columns.get(index)))
                .toList());
    }

    /** Returns a writer of only these columns. */
    public ItemWriter withColumns(Set<String> columns) {
        return new ItemWriter(members.stream()
                .filter(member -> columns.contains(member.name()))
                .toList());
    }

    /**
     * Writes an item if it takes at most this many bytes.
     *
     * @return false if the item is larger; then nothing was written
     */
    boolean writeAtMost(int maxBytes, JsonBytes json, RowValues row) {
        int start = json.length();
        boolean fits;
        json.limitLength((int) Math.min((long) start + maxBytes, Integer.MAX_VALUE));
        try {
            write(json, row);
            fits = json.length() - start <= maxBytes;
        } catch (JsonBytes.FullException | OversizedValueException tooLarge) {
            fits = false;
        }
        json.limitLength(Integer.MAX_VALUE);
        if (!fits) {
            json.truncate(start);
        }
        return fits;
    }

    /** Returns the name of the member with the largest value. */
    String largestMember(RowValues row) {
        return members.stream()
                .max(Comparator.comparingInt(member -> row.size(member.index())))
                .map(Member::name)
                .orElse("");
    }

    public void write(JsonBytes json, RowValues row) {
        int start = json.length();
        for (Member member : membersArray) {
            json.raw(member.prefix);
            if (row.isNull(member.index)) {
                json.nullValue();
            } else {
                member.writer.write(json, row, member.index);
            }
        }
        json.raw('}').overwrite(start, '{');
    }
}
