package dev.tidemark.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tidemark.feed.RowSink;
import dev.tidemark.feed.RowValues;
import dev.tidemark.paging.Direction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes one page as JSON while its rows arrive. A page that is read backward arrives with its last item first; where
 * each row ends is remembered, and the rows change places as bytes when all are there.
 */
final class PageWriter implements RowSink {

    private static final int INITIAL_BYTES = 8 * 1024;

    private final PageForm form;
    private final ItemWriter items;
    private final Direction direction;
    private final Rows rows = new Rows();
    private final JsonGenerator json = Json.generator(rows);
    private final int[] ends;
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
        try {
            items.write(json, row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ends[taken++] = rows.size() + json.getOutputBuffered();
    }

    /**
     * The whole page, with its items in the list's order.
     *
     * @param facts one object, whose members go on in the one that the items are a member of
     */
    byte[] finish(Json.Document facts) {
        try (json) {
            facts.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows.page();
    }

    /** The rows' bytes one after the other, and behind them the page's facts, an object of its own. */
    private final class Rows extends ByteArrayOutputStream {

        Rows() {
            super(INITIAL_BYTES);
        }

        byte[] page() {
            int factsStart = taken == 0 ? 0 : ends[taken - 1];
            int commas = Math.max(0, taken - 1);
            byte[] opening = form.opening();
            byte[] closing = form.closing();
            byte[] page = new byte[opening.length + size() + commas + 1 + closing.length];
            System.arraycopy(opening, 0, page, 0, opening.length);
            int at = opening.length;
            for (int i = 0; i < taken; i++) {
                int row = direction == Direction.FORWARD ? i : taken - 1 - i;
                int start = row == 0 ? 0 : ends[row - 1];
                if (i > 0) {
                    page[at++] = ',';
                }
                System.arraycopy(buf, start, page, at, ends[row] - start);
                at += ends[row] - start;
            }
            page[at++] = ']';
            System.arraycopy(buf, factsStart, page, at, size() - factsStart);
            // The facts go on in the items' own object, so that a comma stands where theirs began.
            page[at] = ',';
            System.arraycopy(closing, 0, page, page.length - closing.length, closing.length);
            return page;
        }
    }
}
