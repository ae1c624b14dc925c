package dev.tidemark.baseline;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;

/** Serves pages of messages with their authors after a cursor. The statement joins the table of the authors. */
@Path("/signed")
public class SignedMessageResource {

    private static final String NEXT =
            "SELECT s.id, s.created_at, s.edited_at, s.subject, s.body, s.status::text, s.assignee, p.name, p.avatar"
                    + " FROM signed s LEFT JOIN people p ON p.id = s.author_id"
                    + " WHERE s.deleted_at IS NULL AND (s.created_at, s.id) < ($1, $2)"
                    + " ORDER BY s.created_at DESC, s.id DESC LIMIT $3";

    private final Pool pool;

    SignedMessageResource(Pool pool) {
        this.pool = pool;
    }

    @GET
    public Uni<MessagePage<SignedMessage>> page(@RestQuery int limit, @RestQuery String cursor) {
        Cursor from = Cursor.parse(cursor);
        return pool.preparedQuery(NEXT)
                .execute(Tuple.of(from.createdAt(), from.id(), limit + 1))
                .map(rows -> MessagePage.of(messages(rows), false, limit));
    }

    private static List<SignedMessage> messages(RowSet<Row> rows) {
        List<SignedMessage> messages = new ArrayList<>(rows.rowCount());
        rows.forEach(row -> messages.add(SignedMessage.of(row)));
        return messages;
    }
}
