package dev.tidemark.postgres.wire;

/** Takes the rows of one statement as they come over the wire. */
@FunctionalInterface
public interface WireRows {

    /** @return whether the row is to stay as it is until the next that is, or the end of the answer */
    boolean take(WireRow row);
}
