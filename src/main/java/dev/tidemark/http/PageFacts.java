package dev.tidemark.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tidemark.cursor.CursorSealer;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Page;
import java.io.IOException;
import java.util.Optional;

/**
 * What a page tells beside its items.
 *
 * @param top the bookmark of the first item, which leads before it
 * @param last the bookmark of the last item, which leads behind it
 * @param limit the limit that was applied
 * @param count the number of items in the list, where it was asked for
 */
record PageFacts(
        Optional<String> top,
        Optional<String> last,
        boolean hasPrevious,
        boolean hasNext,
        int limit,
        Optional<PageCount> count) {

    /** Each gap is sealed once: the way on and the bookmark are the same token. */
    static PageFacts of(Page page, ListState state, int limit, Optional<PageCount> count, CursorSealer sealer) {
        return new PageFacts(
                page.backward().map(way -> sealer.seal(state, way)),
                page.forward().map(way -> sealer.seal(state, way)),
                page.hasPrevious(),
                page.hasNext(),
                limit,
                count.map(known -> known.provenBy(page)));
    }

    /** The cursor of the next page, where there is one. */
    Optional<String> next() {
        return hasNext ? last : Optional.empty();
    }

    /** The cursor of the page before, where there is one. */
    Optional<String> previous() {
        return hasPrevious ? top : Optional.empty();
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        Json.writeOptional(json, "next_cursor", next());
        json.writeBooleanField("has_more", hasNext);
        Json.writeOptional(json, "prev_cursor", previous());
        json.writeBooleanField("has_prev", hasPrevious);
        json.writeObjectFieldStart("cursors");
        Json.writeOptional(json, "top", top);
        Json.writeOptional(json, "last", last);
        json.writeEndObject();
        json.writeNumberField("limit", limit);
        if (count.isPresent()) {
            count.get().write(json);
        }
        json.writeEndObject();
    }
}
