package dev.tidemark.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tidemark.feed.RowSink;
import dev.tidemark.feed.RowValues;
import dev.tidemark.paging.Direction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Writes one page as JSON while its rows arrive. A page that is read backward arrives with its last item first; where
 * each row ends is remembered, and the rows change places as bytes when all are there.
 */
final class PageWriter implements RowSink {

    private static final byte[] OPENING = "{\"items\":[".getBytes(StandardCharsets.US_ASCII);
    private static final int INITIAL_BYTES = 8 * 1024;

    private final ItemWriter items;
    private final Direction direction;
    private final Rows rows = new Rows();
    private final JsonGenerator json = Json.generator(rows);
    private final int[] ends;
    private int count;

    /** @param limit the most rows that will come */
    PageWriter(ItemWriter items, Direction direction, int limit) {
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
        ends[count++] = rows.size() + json.getOutputBuffered();
    }

    /** The whole page, with its items in the list's order. */
    byte[] finish(PageFacts facts) {
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
            int factsStart = count == 0 ? 0 : ends[count - 1];
            int commas = Math.max(0, count - 1);
            byte[] page = new byte[OPENING.length + size() + commas + 1];
            System.arraycopy(OPENING, 0, page, 0, OPENING.length);
            int at = OPENING.length;
            for (int i = 0; i < count; i++) {
                int row = direction == Direction.FORWARD ? i : count - 1 - i;
                int start = row == 0 ? 0 : ends[row - 1];
                if (i > 0) {
                    page[at++] = ',';
                }
                System.arraycopy(buf, start, page, at, ends[row] - start);
                at += ends[row] - start;
            }
            page[at++] = ']';
            System.arraycopy(buf, factsStart, page, at, size() - factsStart);
            // The facts go on in the page's own object, so that a comma stands where theirs began.
            page[at] = ',';
            return page;
        }
    }
}
