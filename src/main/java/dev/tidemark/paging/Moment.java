package dev.tidemark.paging;

import java.util.Objects;

/**
 * The point in time at which a page was read, within one run of a database server.
 *
 * @param serverRun identifies the database and one run of its server, which ends when the server restarts or recovers
 *     from a crash. Moments of different runs cannot be compared
 * @param horizon a transaction id; all transactions with smaller ids had ended when the page was read, so the page
 *     shows their committed changes
 */
public record Moment(String serverRun, long horizon) {

    /** A moment of no run. It cannot be compared with any other. */
    public static final Moment OF_NO_RUN = new Moment("", 0);

    public Moment {
        Objects.requireNonNull(serverRun);
    }
}
