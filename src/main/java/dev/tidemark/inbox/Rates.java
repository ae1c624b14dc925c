package dev.tidemark.inbox;

/** The numbers of simulated inserts, edits, and deletions per second, each from 0 to {@value #MAX}. */
record Rates(int inserts, int edits, int deletes) {

    static final int MAX = 500;
    static final Rates NONE = new Rates(0, 0, 0);

    Rates {
        if (!isInRange(inserts) || !isInRange(edits) || !isInRange(deletes)) {
            throw new IllegalArgumentException("a rate must be from 0 to " + MAX + " per second");
        }
    }

    /** Divides a total into 50 % new messages, 30 % edits and 20 % deletions. */
    static Rates of(int changesPerSecond) {
        int edits = Math.round(changesPerSecond * 0.3f);
        int deletes = Math.round(changesPerSecond * 0.2f);
        return new Rates(changesPerSecond - edits - deletes, edits, deletes);
    }

    int sum() {
        return inserts + edits + deletes;
    }

    private static boolean isInRange(int rate) {
        return rate >= 0 && rate <= MAX;
    }
}
