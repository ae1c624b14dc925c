package dev.tidemark.http.export;

import dev.tidemark.http.page.ServedFeed;
import java.util.Optional;
import java.util.Set;

/** The formats of exports. */
enum ExportFormat {
    NDJSON(ExportResource.NDJSON) {
        @Override
        ExportLines lines(ServedFeed served, Optional<Set<String>> fields, int maxPageBytes) {
            return new NdjsonLines(served.pageItems(fields, maxPageBytes));
        }
    },
    CSV(ExportResource.CSV + "; charset=utf-8; header=present") {
        @Override
        ExportLines lines(ServedFeed served, Optional<Set<String>> fields, int maxPageBytes) {
            return CsvLines.of(served.feed(), fields, maxPageBytes);
        }
    };

    private final String contentType;

    ExportFormat(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    /** @param fields the columns and embeds of the items; empty for all */
    abstract ExportLines lines(ServedFeed served, Optional<Set<String>> fields, int maxPageBytes);
}
