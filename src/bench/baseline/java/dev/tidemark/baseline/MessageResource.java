package dev.tidemark.baseline;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;

/** Serves the inbox, newest first. Uses one keyset statement with a row comparison, and Jackson with records. */
@Path("/messages")
public class MessageResource {

    private static final String SELECT =
            "SELECT id, created_at, edited_at, subject, body, status::text, assignee FROM messages WHERE deleted_at IS NULL";
    private static final String ORDER_AND_LIMIT = " ORDER BY created_at DESC, id DESC LIMIT ";
    private static final String FIRST = SELECT + ORDER_AND_LIMIT + "$1";
    private static final String NEXT = SELECT + " AND (created_at, id) < ($1, $2)" + ORDER_AND_LIMIT + "$3";

    private final Pool pool;

    MessageResource(Pool pool) {
        this.pool = pool;
    }

    @GET
    public Uni<MessagePage<Message>> page(@RestQuery @DefaultValue("30") int limit, @RestQuery String cursor) {
        return read(limit, cursor).map(rows -> MessagePage.of(messages(rows), cursor == null, limit));
    }

    private Uni<RowSet<Row>> read(int limit, String cursor) {
        if (cursor == null) {
            return pool.preparedQuery(FIRST).execute(Tuple.of(limit + 1));
        }
        Cursor from = Cursor.parse(cursor);
        return pool.preparedQuery(NEXT).execute(Tuple.of(from.createdAt(), from.id(), limit + 1));
    }

    private static List<Message> messages(RowSet<Row> rows) {
        List<Message> messages = new ArrayList<>(rows.rowCount());
        rows.forEach(row -> messages.add(Message.of(row)));
        return messages;
    }
}
