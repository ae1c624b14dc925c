/**
 * {@code GET /api/{feed}} with {@code Accept: application/x-ndjson} or {@code text/csv}: streams a list, line by line.
 */
@NullMarked
package dev.tidemark.http.export;

import org.jspecify.annotations.NullMarked;
