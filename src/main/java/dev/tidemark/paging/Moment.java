package dev.tidemark.paging;

import java.util.Objects;

/**
 * The point in time at which a page was read, in the history of one run of a database server.
 *
 * @param run identifies the database and the run of its server, from one start to the next. Moments of different runs cannot be
 *     compared
 * @param horizon every transaction with a smaller id had ended when the page was read, so that the page shows what it wrote
 */
public record Moment(String run, long horizon) {

    public Moment {
        Objects.requireNonNull(run);
    }
}
