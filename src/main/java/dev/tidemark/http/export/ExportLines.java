package dev.tidemark.http.export;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.RowSink;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.OversizedItems;
import dev.tidemark.http.json.PageItems;
import java.util.List;
import java.util.Optional;

/** A buffer for the lines of one page of an export. Each line is a JSON object. */
public final class ExportLines implements RowSink {

    private final JsonBytes json = JsonBytes.create();
    private final PageItems items;

    public ExportLines(PageItems items) {
        this.items = items;
    }

    /**
     * Inserts the list line before the first page's items. The list line is written last, because the moment is known
     * only after the page has been read.
     *
     * @param moment a token, present if the feed has delta; needs no escaping in JSON
     */
    public void insertListLine(ListState state, Optional<String> moment) {
        byte[] items = json.toBytes();
        json.clear();
        json.raw("{\"list\":{\"feed\":").string(state.feed().name());
        json.raw(",\"order\":").string(state.order().name());
        moment.ifPresent(token -> json.raw(",\"moment\":\"").raw(token).raw('"'));
        json.raw("}}\n").raw(items);
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

    void writeCursor(Optional<String> cursor) {
        json.raw("{\"cursor\":").tokenOrNull(cursor).raw("}\n");
    }

    public void writeEnd(long itemCount, Optional<String> cursor) {
        json.raw("{\"end\":{\"items\":").number(itemCount);
        json.raw(",\"cursor\":").tokenOrNull(cursor).raw("}}\n");
    }

    /** @param problem the JSON of the problem */
    void writeProblem(byte[] problem) {
        json.raw("{\"problem\":").raw(problem).raw("}\n");
    }

    int length() {
        return json.length();
    }

    public byte[] toBytes() {
        return json.toBytes();
    }

    void clear() {
        json.clear();
        items.clear();
    }
}
