package dev.tidemark.http.json;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.read.OversizedValueException;
import dev.tidemark.feed.read.RowValues;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Writes the rows of a feed as JSON objects. Members are in the order of the feed's columns and then of its embeds,
 * regardless of the order in {@code fields}, so that requests for the same fields get identical bytes.
 */
public final class ItemWriter {

    /**
     * A member of an item.
     *
     * @param index the index in a row of its column, or of the first value of its embed
     * @param valueCount the number of values in a row that it is written from
     * @param prefix a comma, the name and a colon, ready to write
     */
    private record Member(int index, int valueCount, String name, byte[] prefix, ColumnWriter writer) {

        private static Member of(int index, int valueCount, String name, ColumnWriter writer) {
            byte[] prefix = JsonBytes.bytesOf(json -> json.raw(',').string(name).raw(':'));
            return new Member(index, valueCount, name, prefix, writer);
        }

        static Member of(int index, Column column) {
            return of(index, 1, column.name(), ColumnWriter.of(column));
        }

        /** The member is null if its first value is, which says whether the embedded row exists. */
        static Member of(int index, Embed embed) {
            ItemWriter row = new ItemWriter(ofColumns(index + 1, embed.columns()));
            return of(index, embed.valueCount(), embed.name(), (json, values, at) -> row.write(json, values));
        }

        static List<Member> ofColumns(int firstIndex, List<Column> columns) {
            return IntStream.range(0, columns.size())
                    .mapToObj(i -> of(firstIndex + i, columns.get(i)))
                    .toList();
        }

        int size(RowValues row) {
            int size = 0;
            for (int i = index; i < index + valueCount; i++) {
                size += row.size(i);
            }
            return size;
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
        List<Member> members = new ArrayList<>(Member.ofColumns(0, feed.columns()));
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

    /** Whether items contain the value at an index of a row. */
    boolean reads(int index) {
        return members.stream().anyMatch(member -> member.index <= index && index < member.index + member.valueCount);
    }

    /** Returns the name of the member with the largest value. */
    String largestMember(RowValues row) {
        return members.stream()
                .max(Comparator.comparingInt(member -> member.size(row)))
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
