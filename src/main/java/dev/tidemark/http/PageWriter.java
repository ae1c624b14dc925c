package dev.tidemark.http;

import dev.tidemark.feed.RowSink;
import dev.tidemark.feed.RowValues;
import dev.tidemark.paging.Direction;
import java.util.function.Consumer;

/**
 * Writes one page as JSON while its rows arrive. A page that is read backward arrives with its last item first; where
 * each row ends is remembered, and the rows change places as bytes when all are there.
 */
final class PageWriter implements RowSink {

    private final PageForm form;
    private final ItemWriter items;
    private final Direction direction;
    private final int[] ends;

    /** Only from the first row on: until then many pages wait on one thread, and then each has its rows at once. */
    private JsonBytes json;

    private int taken;

    /** @param limit the most rows that will come */
    PageWriter(PageForm form, ItemWriter items, Direction direction, int limit) {
        this.form = form;
        this.items = items;
        this.direction = direction;
        this.ends = new int[limit];
    }

    @Override
    public void row(RowValues row) {
        if (json == null) {
            json = JsonBytes.spare();
        }
        items.write(json, row);
        ends[taken++] = json.length();
    }

    /**
     * The whole page, with its items in the list's order.
     *
     * @param facts writes members, which go on in the object that the items are a member of
     */
    byte[] finish(Consumer<JsonBytes> facts) {
        if (json == null) {
            json = JsonBytes.spare();
        }
        int factsStart = json.length();
        facts.accept(json);
        byte[] opening = form.opening();
        byte[] closing = form.closing();
        int commas = Math.max(0, taken - 1);
        byte[] page = new byte[opening.length + json.length() + commas + 2 + closing.length];
        System.arraycopy(opening, 0, page, 0, opening.length);
        int at = opening.length;
        for (int i = 0; i < taken; i++) {
            int row = direction == Direction.FORWARD ? i : taken - 1 - i;
            if (i > 0) {
                page[at++] = ',';
            }
            at = json.copy(row == 0 ? 0 : ends[row - 1], ends[row], page, at);
        }
        page[at++] = ']';
        page[at++] = ',';
        at = json.copy(factsStart, json.length(), page, at);
        System.arraycopy(closing, 0, page, at, closing.length);
        json.keepForNext();
        return page;
    }
}
