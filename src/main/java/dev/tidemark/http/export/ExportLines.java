package dev.tidemark.http.export;

import dev.tidemark.feed.ListState;
import dev.tidemark.feed.read.RowSink;
import java.util.Optional;

/** Renders an export in its format. Collects what has been written, and the rows of a read, until it is taken. */
interface ExportLines extends RowSink {

    /**
     * Puts what begins the export before the rows of the first read, because the moment is known only then.
     *
     * @param moment a token, present if the feed has delta
     */
    void begin(ListState state, Optional<String> moment);

    /** Writes the place behind the rows so far, after each read except the last. */
    void cursor(Optional<String> cursor);

    /** Writes what ends a complete export. */
    void end(long itemCount, Optional<String> cursor);

    /** Returns the number of bytes that have been collected. */
    int length();

    /** Returns what has been collected, and forgets it. */
    byte[] take();

    /**
     * Returns what ends an export that failed, without what has been collected: rows of a failed read can still
     * arrive.
     *
     * @param problem the JSON of the problem
     */
    byte[] problem(byte[] problem);
}
