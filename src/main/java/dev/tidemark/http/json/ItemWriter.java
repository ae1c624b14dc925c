package dev.tidemark.http.json;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.RowValues;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Writes rows of a feed as items. The members stand in the sequence of the feed's columns, also where only some are
 * asked for: JSON's members have no order of their own, and equal requests should give equal bytes.
 */
public final class ItemWriter {

    /**
     * One member of an item: the column at {@code index} of a row.
     *
     * @param prefix the name as it is written, between a comma and a colon
     */
    private record Member(int index, String name, byte[] prefix, ColumnWriter writer) {

        public static Member of(int index, Column column) {
            byte[] prefix = Json.bytes(json -> {
                json.writeRaw(',');
                json.writeString(column.name());
                json.writeRaw(':');
            });
            return new Member(index, column.name(), prefix, ColumnWriter.of(column));
        }
    }

    private final List<Member> members;
    /** The same as an array: it is membersArray for every row. */
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

    /** A writer of some of the columns. */
    public ItemWriter only(Set<String> columns) {
        return new ItemWriter(members.stream()
                .filter(member -> columns.contains(member.name()))
                .toList());
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
