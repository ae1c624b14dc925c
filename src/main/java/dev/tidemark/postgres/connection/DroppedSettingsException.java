package dev.tidemark.postgres.connection;

import io.vertx.core.VertxException;

/** Settings that a connection was opened with are not in force in its session. Such a session is not used. */
public final class DroppedSettingsException extends VertxException {

    /** @param names of the settings, separated by commas */
    DroppedSettingsException(String names) {
        super(
                "the session has lost " + names
                        + ": a pooler between Tidemark and PostgreSQL drops them. Connect directly to PostgreSQL",
                true);
    }
}
