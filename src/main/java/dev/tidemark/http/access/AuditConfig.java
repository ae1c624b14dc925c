package dev.tidemark.http.access;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the log of reads. */
@ConfigMapping(prefix = "tidemark")
public interface AuditConfig {

    /** Whether each read of a feed with roles or a scope is logged. */
    @WithDefault("false")
    boolean auditLog();
}
