package dev.tidemark.inbox;

/** How many changes are due, so that rates come out exactly over time, also those of less than one a tick. */
final class RateAccumulator {

    /** What a standstill of the database leaves undone is not made up for. */
    private static final double MOST_SECONDS = 0.5;

    private final Rates rates;
    private long before;
    private double inserts;
    private double edits;
    private double deletes;

    RateAccumulator(Rates rates) {
        this(rates, System.nanoTime());
    }

    RateAccumulator(Rates rates, long nanoTime) {
        this.rates = rates;
        this.before = nanoTime;
    }

    /** Whole changes since the last call; what is left of them counts for the next one. */
    Rates at(long nanoTime) {
        double seconds = Math.min(MOST_SECONDS, (nanoTime - before) / 1e9);
        before = nanoTime;
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
