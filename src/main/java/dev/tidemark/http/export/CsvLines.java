package dev.tidemark.http.export;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.http.json.CsvWriter;
import dev.tidemark.http.json.PageItems;
import java.util.Optional;
import java.util.Set;

/** A line with the names of the columns, and lines of CSV. There is no place for cursors, an end, or a problem. */
final class CsvLines extends ExportLines {

    private final CsvWriter writer;

    private CsvLines(CsvWriter writer, int maxPageBytes) {
        super(new PageItems(writer, Optional.empty(), maxPageBytes));
        this.writer = writer;
    }

    /** @param fields the columns and embeds in their sequence; empty for all */
    static CsvLines of(Feed feed, Optional<Set<String>> fields, int maxPageBytes) {
        return new CsvLines(CsvWriter.of(feed, fields), maxPageBytes);
    }

    @Override
    void writeHead(ListState state, Optional<String> moment) {
        writer.writeHeader(buffer);
    }

    @Override
    public void accept(RowValues row) {
        items.write(buffer, row);
    }

    @Override
    void cursor(Optional<String> cursor) {}

    @Override
    void end(long itemCount, Optional<String> cursor) {}

    @Override
    Optional<byte[]> problem(byte[] problem) {
        return Optional.empty();
    }
}
