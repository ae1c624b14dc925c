package dev.tidemark.http.export;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.OversizedItems;
import dev.tidemark.http.json.PageItems;
import java.util.List;
import java.util.Optional;

/** Lines that are JSON objects. */
final class NdjsonLines implements ExportLines {

    private final JsonBytes json = JsonBytes.create();
    private final PageItems items;

    NdjsonLines(PageItems items) {
        this.items = items;
    }

    @Override
    public void begin(ListState state, Optional<String> moment) {
        byte[] rows = json.toBytes();
        json.clear();
        json.raw("{\"list\":{\"feed\":").string(state.feed().name());
        json.raw(",\"order\":").string(state.order().name());
        // A token needs no escaping.
        moment.ifPresent(token -> json.raw(",\"moment\":\"").raw(token).raw('"'));
        json.raw("}}\n").raw(rows);
    }

    @Override
    public void accept(RowValues row) {
        int start = json.length();
        json.raw("{\"item\":");
        int oversizedBefore = items.oversized().size();
        if (items.write(json, row)) {
            if (items.oversized().size() > oversizedBefore) {
                OversizedItems.write(json, List.of(items.oversized().last()), false);
            }
            json.raw("}\n");
        } else {
            json.truncate(start);
        }
    }

    @Override
    public boolean reads(int index) {
        return items.reads(index);
    }

    @Override
    public int maxBytes() {
        return items.maxBytes();
    }

    @Override
    public boolean isFull() {
        return items.isFull();
    }

    @Override
    public void cursor(Optional<String> cursor) {
        json.raw("{\"cursor\":").tokenOrNull(cursor).raw("}\n");
    }

    @Override
    public void end(long itemCount, Optional<String> cursor) {
        json.raw("{\"end\":{\"items\":").number(itemCount);
        json.raw(",\"cursor\":").tokenOrNull(cursor).raw("}}\n");
    }

    @Override
    public int length() {
        return json.length();
    }

    @Override
    public byte[] take() {
        byte[] taken = json.toBytes();
        json.clear();
        items.clear();
        return taken;
    }

    @Override
    public byte[] problem(byte[] problem) {
        return JsonBytes.create().raw("{\"problem\":").raw(problem).raw("}\n").toBytes();
    }
}
