package dev.tidemark.http;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The request headers that an answer depends on, for whoever keeps it. */
@Singleton
class Vary {

    private final String always;

    /** With CORS on, answers repeat the origin that asked; those to requests without one must not be taken for theirs. */
    Vary(@ConfigProperty(name = "quarkus.http.cors.enabled", defaultValue = "false") boolean cors) {
        always = cors ? "Accept-Encoding, Origin" : "Accept-Encoding";
    }

    /** What every answer depends on. */
    String always() {
        return always;
    }

    /** What a page depends on whose size the client left to the server. */
    String withoutLimit() {
        return always + ", Sec-CH-UA-Mobile";
    }
}
