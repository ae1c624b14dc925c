package dev.tidemark.http.page;

import dev.tidemark.feed.RowSink;
import dev.tidemark.feed.RowValues;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.paging.Direction;
import java.util.function.Consumer;

/**
 * Writes one page as JSON while its rows arrive. A page that is read backward arrives with its last item first; where
 * each row ends is remembered, and the rows change places as bytes when all are there.
 */
public final class PageWriter implements RowSink {

    private final PageForm form;
    private final ItemWriter items;
    private final Direction direction;
    private final int[] ends;

    /** Only from the first row on: until then many pages wait on one thread, and then each has its rows at once. */
    private JsonBytes json;

    private int taken;

    /** @param limit the most rows that will come */
    public PageWriter(PageForm form, ItemWriter items, Direction direction, int limit) {
        this.form = form;
        this.items = items;
        this.direction = direction;
        this.ends = new int[limit];
    }

    @Override
    public void row(RowValues row) {
        begin();
        if (taken > 0) {
            json.raw(',');
        }
        items.write(json, row);
        ends[taken++] = json.length();
    }

    private void begin() {
        if (json == null) {
            json = JsonBytes.spare().raw(form.opening());
        }
    }

    /**
     * The whole page, with its items in the list's order.
     *
     * @param facts writes members, which go on in the object that the items are a member of
     */
    public byte[] finish(Consumer<JsonBytes> facts) {
        begin();
        json.raw(']').raw(',');
        facts.accept(json);
        byte[] page = json.raw(form.closing()).toBytes();
        if (direction == Direction.BACKWARD) {
            turnRound(page);
        }
        json.keepForNext();
        return page;
    }

    private void turnRound(byte[] page) {
        int start = form.opening().length;
        for (int i = 0, end = taken == 0 ? start : ends[taken - 1]; i < taken; i++) {
            int from = i == 0 ? start : ends[i - 1] + 1;
            int length = ends[i] - from;
            json.copy(from, ends[i], page, end - length);
            end -= length + 1;
            if (end > start) {
                page[end] = ',';
            }
        }
    }
}
