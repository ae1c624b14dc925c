package dev.tidemark.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.RowValues;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Writes rows of a feed as items. The members stand in the sequence of the feed's columns, also where only some are
 * asked for: JSON's members have no order of their own, and equal requests should give equal bytes.
 */
final class ItemWriter {

    /** One member of an item: the column at {@code index} of a row. */
    private record Member(int index, SerializedString name, ColumnWriter writer) {}

    private final List<Member> members;
    /** The same as an array: it is walked for every row. */
    private final Member[] walked;

    private ItemWriter(List<Member> members) {
        this.members = members;
        this.walked = members.toArray(new Member[0]);
    }

    static ItemWriter of(Feed feed) {
        List<Column> columns = feed.columns();
        return new ItemWriter(IntStream.range(0, columns.size())
                .mapToObj(index -> new Member(
                        index, new SerializedString(columns.get(index).name()), ColumnWriter.of(columns.get(index))))
                .toList());
    }

    /** A writer of some of the columns. */
    ItemWriter only(Set<String> columns) {
        return new ItemWriter(members.stream()
                .filter(member -> columns.contains(member.name().getValue()))
                .toList());
    }

    void write(JsonGenerator json, RowValues row) throws IOException {
        json.writeStartObject();
        for (Member member : walked) {
            json.writeFieldName(member.name);
            if (row.isNull(member.index)) {
                json.writeNull();
            } else {
                member.writer.write(json, row, member.index);
            }
        }
        json.writeEndObject();
    }
}
