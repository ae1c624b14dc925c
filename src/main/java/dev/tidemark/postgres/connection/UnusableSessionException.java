package dev.tidemark.postgres.connection;

import io.vertx.core.VertxException;

/** A session does not keep its settings, usually because of a pooler. No page is read over it. */
public sealed class UnusableSessionException extends VertxException
        permits DroppedSettingsException, SharedSessionException {

    UnusableSessionException(String message) {
        super(message, true);
    }
}
