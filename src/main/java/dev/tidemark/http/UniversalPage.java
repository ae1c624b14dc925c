package dev.tidemark.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;

/**
 * What a page of the universal protocol tells beside its rows: tokens, whatever the strategy.
 *
 * @param top of the first row
 * @param last of the last row
 * @param previous leads to the page before, where there is one
 * @param next leads to the next page, where there is one
 */
record UniversalPage(Optional<String> top, Optional<String> last, Optional<String> previous, Optional<String> next) {

    UniversalPage forwardOnly() {
        return new UniversalPage(top, last, Optional.empty(), next);
    }

    /** @param count the number of rows in the list; one that is not known exactly is nobody's total, and left out */
    void write(JsonGenerator json, Optional<PageCount> count) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("paging");
        json.writeObjectFieldStart("cursors");
        Json.writeOptional(json, "top", top);
        Json.writeOptional(json, "last", last);
        json.writeEndObject();
        Json.writeOptional(json, "previous", previous);
        Json.writeOptional(json, "next", next);
        if (count.isPresent() && count.get().isExact()) {
            json.writeNumberField("count", count.get().value());
        }
        json.writeEndObject();
        json.writeEndObject();
    }
}
