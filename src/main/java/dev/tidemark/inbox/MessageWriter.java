package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlResult;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Writes the changes that agents make to messages. All changes, including simulated ones, use a single connection, so
 * that they are committed in the order of their timestamps. With several connections, a scroll of the newest messages
 * could miss a message that is committed after a message with a later timestamp. Only the stability lab also writes on
 * another connection, to commit messages late.
 */
@ApplicationScoped
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
class MessageWriter {

    private static final String CREATE =
            "insert into public.messages (subject, body, assignee) values ($1, $2, nullif($3, '')) returning id";

    /** The trigger on these columns sets {@code edited_at}. */
    private static final String EDIT = """
            update public.messages
            set subject = coalesce($2, subject), body = coalesce($3, body),
                status = coalesce($4::text::public.message_status, status),
                assignee = case when $5::text is null then assignee else nullif($5, '') end
            where id = $1 and deleted_at is null
            """;

    private static final String DELETE =
            "update public.messages set deleted_at = clock_timestamp() where id = $1 and deleted_at is null";

    private static final String RESTORE = "update public.messages set deleted_at = null where id = $1";

    private final Pool pool;

    MessageWriter(@ReactiveDataSource("inbox") Pool pool) {
        this.pool = pool;
    }

    /** Returns the id of the new message. */
    Uni<Long> create(String subject, String body, String assignee) {
        return pool.preparedQuery(CREATE)
                .execute(Tuple.of(subject, body, assignee))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Changes the columns whose members of {@code edit} are not null. Returns false if there is no such message. */
    Uni<Boolean> edit(long id, MessageResource.Edit edit) {
        var status = edit.status() == null ? null : edit.status().name();
        return changeMessage(EDIT, Tuple.of(id, edit.subject(), edit.body(), status, edit.assignee()));
    }

    Uni<Boolean> delete(long id) {
        return changeMessage(DELETE, Tuple.of(id));
    }

    Uni<Boolean> restore(long id) {
        return changeMessage(RESTORE, Tuple.of(id));
    }

    private Uni<Boolean> changeMessage(String sql, Tuple parameters) {
        return pool.preparedQuery(sql)
                .execute(parameters)
                .map(SqlResult::rowCount)
                .map(count -> count > 0);
    }
}
