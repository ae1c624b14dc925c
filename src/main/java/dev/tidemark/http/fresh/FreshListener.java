package dev.tidemark.http.fresh;

/** Receives the number of new items. */
interface FreshListener {

    /** Called with the number when it is first known, and again whenever it changes. */
    void onCount(FreshCount count);

    /** Called if a count fails before any number is known. The listener is not called again. */
    void onFailure(Throwable failure);
}
