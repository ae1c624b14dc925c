package dev.tidemark.http.fresh;

/** Receives the number of new items. */
interface FreshListener {

    /** Called with each new number; never twice in a row with the same one. */
    void onCount(FreshCount count);

    /** Called if a count fails before any number is known; no number follows. */
    void onFailure(Throwable failure);
}
