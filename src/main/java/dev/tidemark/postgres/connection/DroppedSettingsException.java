package dev.tidemark.postgres.connection;

/** Settings that were made in a session are not in force in it. Such a session is not used. */
public final class DroppedSettingsException extends UnusableSessionException {

    /** @param names of the settings, separated by commas */
    DroppedSettingsException(String names) {
        super("the session has lost " + names
                + ": a pooler between Tidemark and PostgreSQL drops them. Connect directly to PostgreSQL");
    }
}
