package dev.tidemark.postgres.connection;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Supplier;

/** Recognizes a pooler that gives each transaction of a session to any of its server connections. */
final class PoolerMode {

    private static final String PROCESS = SessionSettings.BEGIN + "SELECT pg_catalog.pg_backend_pid(); COMMIT";

    private PoolerMode() {}

    /**
     * Checks that a session keeps its server process. A second session is opened only if a pooler stands between,
     * which states another process than that of the server.
     *
     * @param session new, and not used meanwhile
     * @param connect opens a second session
     * @return fails with {@link SharedSessionException} if the session does not keep its server process
     */
    static Future<Void> check(SqlConnection session, Supplier<Future<PgConnection>> connect) {
        return process(session)
                .compose(first -> isPooled(session, first)
                        ? connect.get()
                                .compose(other -> check(session, first, other).eventually(() -> other.close()))
                        : Future.succeededFuture());
    }

    /**
     * Whether a pooler stands between, which states another process than that of the server.
     *
     * @param process the server's process
     */
    static boolean isPooled(SqlConnection session, int process) {
        return process != PgConnection.cast(session).processId();
    }

    /**
     * A pooler that hands out the connection that was returned last gives the same one to both sessions. One that
     * takes turns gives the first session another one in its second or third turn.
     */
    private static Future<Void> check(SqlConnection session, int first, SqlConnection other) {
        return process(other).compose(others -> process(session).compose(second -> process(session)
                .compose(third -> others == first || second != first || third != first
                        ? Future.failedFuture(new SharedSessionException())
                        : Future.succeededFuture())));
    }

    private static Future<Integer> process(SqlConnection session) {
        return session.query(PROCESS).execute().map(answers -> {
            RowSet<Row> answer = answers;
            while (answer.size() == 0) {
                answer = answer.next();
            }
            return answer.iterator().next().getInteger(0);
        });
    }
}
