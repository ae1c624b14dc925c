package dev.tidemark.baseline;

import io.vertx.mutiny.sqlclient.Row;
import java.time.OffsetDateTime;

/** A message with its author. */
record SignedMessage(
        String id,
        OffsetDateTime createdAt,
        OffsetDateTime editedAt,
        String subject,
        String body,
        String status,
        String assignee,
        Author author)
        implements MessagePage.Item {

    record Author(String name, String avatar) {}

    static SignedMessage of(Row row) {
        return new SignedMessage(
                Long.toString(row.getLong("id")),
                row.getOffsetDateTime("created_at"),
                row.getOffsetDateTime("edited_at"),
                row.getString("subject"),
                row.getString("body"),
                row.getString("status"),
                row.getString("assignee"),
                row.getString("name") == null ? null : new Author(row.getString("name"), row.getString("avatar")));
    }
}
