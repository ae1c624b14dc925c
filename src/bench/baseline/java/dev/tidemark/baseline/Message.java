package dev.tidemark.baseline;

import io.vertx.mutiny.sqlclient.Row;
import java.time.OffsetDateTime;

/** An item with the same members as an item of Tidemark, including the id as a string. */
record Message(
        String id,
        OffsetDateTime createdAt,
        OffsetDateTime editedAt,
        String subject,
        String body,
        String status,
        String assignee)
        implements MessagePage.Item {

    static Message of(Row row) {
        return new Message(
                Long.toString(row.getLong("id")),
                row.getOffsetDateTime("created_at"),
                row.getOffsetDateTime("edited_at"),
                row.getString("subject"),
                row.getString("body"),
                row.getString("status"),
                row.getString("assignee"));
    }
}
