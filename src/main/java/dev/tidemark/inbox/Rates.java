package dev.tidemark.inbox;

/** Simulated changes per second, each kind 0 to {@value #MAX}. */
record Rates(int inserts, int edits, int deletes) {

    static final int MAX = 500;

    Rates {
        if (!isRate(inserts) || !isRate(edits) || !isRate(deletes)) {
            throw new IllegalArgumentException("a rate is 0 to " + MAX + " a second");
        }
    }

    /** So many changes in all: half of them new messages, three in ten edits, two in ten deletions. */
    static Rates of(int changes) {
        int edits = Math.round(changes * 0.3f);
        int deletes = Math.round(changes * 0.2f);
        return new Rates(changes - edits - deletes, edits, deletes);
    }

    int sum() {
        return inserts + edits + deletes;
    }

    private static boolean isRate(int rate) {
        return rate >= 0 && rate <= MAX;
    }
}
