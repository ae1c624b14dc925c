package dev.tidemark.http.edge;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Settings of the HTTP servers. Quarkus has one for HTTP/2 at the port of the clients only. */
@ConfigMapping(prefix = "tidemark")
public interface ServerConfig {

    /** Whether the management port supports HTTP/2. */
    @WithName("management-http2")
    @WithDefault("false")
    boolean managementHttp2();
}
