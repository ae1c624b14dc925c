package dev.tidemark.http.fresh;

/** Someone who is told how many items are new. */
interface FreshListener {

    /** The number as it was just counted, never twice in a row the same. */
    void number(FreshCount count);

    /** There is no number to tell, and none will follow. Once there was one, the last holds until a new one is counted. */
    void failed(Throwable failure);
}
