package dev.tidemark.postgres;

/** Takes the rows of one statement as they come over the wire. */
@FunctionalInterface
interface WireRows {

    /** @return the next row to be filled: this one, unless it is still needed */
    WireRow take(WireRow row);
}
