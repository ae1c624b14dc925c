package dev.tidemark.inbox;

/**
 * Converts rates to numbers of changes. Fractions accumulate, so that rates below one change per tick are exact over
 * time.
 */
final class RateAccumulator {

    /**
     * The longest time for which missed changes are made up, so that no burst of changes follows a database outage.
     */
    private static final double MAX_SECONDS = 0.5;

    private final Rates rates;
    private long lastNanoTime;
    private double inserts;
    private double edits;
    private double deletes;

    RateAccumulator(Rates rates) {
        this(rates, System.nanoTime());
    }

    RateAccumulator(Rates rates, long nanoTime) {
        this.rates = rates;
        this.lastNanoTime = nanoTime;
    }

    /** Returns how many inserts, edits, and deletes are due. The fractions remain for the next call. */
    Rates takeDue(long nanoTime) {
        double seconds = Math.min(MAX_SECONDS, (nanoTime - lastNanoTime) / 1e9);
        lastNanoTime = nanoTime;
        inserts += rates.inserts() * seconds;
        edits += rates.edits() * seconds;
        deletes += rates.deletes() * seconds;
        var due = new Rates((int) inserts, (int) edits, (int) deletes);
        inserts -= due.inserts();
        edits -= due.edits();
        deletes -= due.deletes();
        return due;
    }
}
