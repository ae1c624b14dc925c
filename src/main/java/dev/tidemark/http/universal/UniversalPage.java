package dev.tidemark.http.universal;

import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.page.PageCount;
import java.util.Optional;

/**
 * The paging member of a page of the universal protocol, with the tokens of either strategy.
 *
 * @param top of the first row
 * @param last of the last row
 * @param previous leads to the previous page, if there is one
 * @param next leads to the next page, if there is one
 * @param withoutFloor the same page with tokens that are equal after other writes to the database, for its tag; empty if these are
 */
record UniversalPage(
        Optional<String> top,
        Optional<String> last,
        Optional<String> previous,
        Optional<String> next,
        Optional<UniversalPage> withoutFloor) {

    UniversalPage(Optional<String> top, Optional<String> last, Optional<String> previous, Optional<String> next) {
        this(top, last, previous, next, Optional.empty());
    }

    UniversalPage forwardOnly() {
        return new UniversalPage(top, last, Optional.empty(), next, withoutFloor.map(UniversalPage::forwardOnly));
    }

    /** @param count the number of rows in the list; written only if it is exact */
    void write(JsonBytes json, Optional<PageCount> count) {
        json.raw("\"paging\":{\"cursors\":{\"top\":").tokenOrNull(top);
        json.raw(",\"last\":").tokenOrNull(last);
        json.raw("},\"previous\":").tokenOrNull(previous);
        json.raw(",\"next\":").tokenOrNull(next);
        if (count.isPresent() && count.get().isExact()) {
            json.raw(",\"count\":").number(count.get().value());
        }
        json.raw('}');
    }
}
