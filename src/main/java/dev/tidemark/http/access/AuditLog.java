package dev.tidemark.http.access;

import dev.tidemark.feed.ListState;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.util.Locale;
import org.jboss.logging.Logger;

/**
 * Logs who has read what of the feeds with roles or a scope, as one JSON object for each read, in a category of its own.
 * Off by default, because the lines contain subjects of tokens and values of filters.
 */
@Singleton
public class AuditLog {

    static final String CATEGORY = "dev.tidemark.audit";

    /** The kinds of reads. */
    public enum Read {
        PAGE,
        COUNT,
        EXPORT,
        /** The start of a stream of new items, which contains no rows. */
        FRESH,
        /** The start of a live window. What it contains is not known yet. */
        LIVE
    }

    private static final Logger LOG = Logger.getLogger(CATEGORY);

    private final boolean isOn;

    AuditLog(AuditConfig config) {
        this.isOn = config.auditLog();
    }

    /** @param rows how many rows the caller gets, or how many were counted */
    public void record(Caller caller, ListState state, Read read, long rows) {
        if (isOn && !state.feed().access().isPublic()) {
            LOG.info(new JsonObject()
                    .put("read", read.name().toLowerCase(Locale.ROOT))
                    .put("subject", caller.subject().orElse(null))
                    .put("feed", state.feed().name())
                    .put("list", state.definition())
                    .put("rows", rows)
                    .encode());
        }
    }
}
