package dev.tidemark.http.edge;

/** The number of bytes of an HTTP/2 connection that wait until the client's flow control accepts them. */
final class FlowControlledBytes {

    /**
     * The approximate number of bytes of all objects of a response that waits. Small responses need more memory for
     * these than for their content.
     */
    static final int OF_A_RESPONSE = 8 * 1024;

    long bytes;
}
