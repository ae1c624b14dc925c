package dev.tidemark.http.export;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.OversizedItems;
import dev.tidemark.http.json.PageItems;
import java.util.List;
import java.util.Optional;

/** Lines that are JSON objects. */
final class NdjsonLines extends ExportLines {

    NdjsonLines(PageItems items) {
        super(items);
    }

    @Override
    void writeHead(ListState state, Optional<String> moment) {
        buffer.raw("{\"list\":{\"feed\":").string(state.feed().name());
        buffer.raw(",\"order\":").string(state.order().name());
        // A token needs no escaping.
        moment.ifPresent(token -> buffer.raw(",\"moment\":\"").raw(token).raw('"'));
        buffer.raw("}}\n");
    }

    @Override
    public void accept(RowValues row) {
        int start = buffer.length();
        buffer.raw("{\"item\":");
        int oversizedBefore = items.oversized().size();
        if (items.write(buffer, row)) {
            if (items.oversized().size() > oversizedBefore) {
                OversizedItems.write(buffer, List.of(items.oversized().last()), false);
            }
            buffer.raw("}\n");
        } else {
            buffer.truncate(start);
        }
    }

    @Override
    void cursor(Optional<String> cursor) {
        buffer.raw("{\"cursor\":").tokenOrNull(cursor).raw("}\n");
    }

    @Override
    void end(long itemCount, Optional<String> cursor) {
        buffer.raw("{\"end\":{\"items\":").number(itemCount);
        buffer.raw(",\"cursor\":").tokenOrNull(cursor).raw("}}\n");
    }

    @Override
    Optional<byte[]> problem(byte[] problem) {
        return Optional.of(
                JsonBytes.bytesOf(json -> json.raw("{\"problem\":").raw(problem).raw("}\n")));
    }
}
