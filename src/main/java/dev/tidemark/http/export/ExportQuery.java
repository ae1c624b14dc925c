package dev.tidemark.http.export;

import dev.tidemark.http.page.PageQuery;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.util.Optional;

/**
 * A parsed and validated request for an export. Its cursors have not been opened yet.
 *
 * @param first the query of the first page
 * @param limit the maximum number of items to send
 * @param expiry when the caller's token expires; empty if the feed is public
 */
record ExportQuery(
        PageQuery first,
        @Min(value = 1, message = "must be 1 or more") long limit,
        Optional<Instant> expiry) {}
