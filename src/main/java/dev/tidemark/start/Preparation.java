package dev.tidemark.start;

/** Creates what the declared feeds read, before they are checked. Only the sample inbox does this. */
public interface Preparation {

    /** Blocks until everything has been created. */
    void prepare();
}
