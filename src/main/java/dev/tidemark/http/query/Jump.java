package dev.tidemark.http.query;

import java.util.List;

/**
 * A place that a request names by what stands there, and not by a cursor.
 *
 * @see PageOpening
 */
public sealed interface Jump {

    /** Whether items before the place are wanted too, and not only those from it on. */
    boolean around();

    /** @param value of the order's first key, in PostgreSQL's text form */
    record ToValue(String value, boolean around) implements Jump {
        @Override
        public String toString() {
            return "ToValue[around=" + around + ']';
        }
    }

    /** @param key a value for each column of the feed's key, in the key's sequence */
    record ToItem(List<String> key, boolean around) implements Jump {
        @Override
        public String toString() {
            return "ToItem[around=" + around + ']';
        }
    }
}
