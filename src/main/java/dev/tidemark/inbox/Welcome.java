package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.vertx.http.HttpServerStart;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;
import org.jboss.logging.Logger;

/** Logs the address of the inbox when the server accepts requests. */
@ApplicationScoped
@IfBuildProfile(anyOf = {"dev", "try-it"})
class Welcome {

    private static final Logger LOG = Logger.getLogger(Welcome.class);

    void onHttp(@ObservesAsync HttpServerStart started) {
        var address = "http://localhost:"
                + Integer.getInteger("quarkus.http.port", started.options().getPort());
        LOG.infof("""
                Tidemark serves a sample support inbox.

                    Open   %1$s
                    or     curl '%1$s/api/messages?limit=3'
                """, address);
    }
}
