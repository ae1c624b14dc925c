package dev.tidemark.http;

import dev.tidemark.feed.Feed;
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

    /** What every answer of a feed depends on. */
    String of(Feed feed) {
        return feed.access().isPublic() ? always : withToken();
    }

    /** What an answer depends on that is not the same for everybody. */
    String withToken() {
        return always + ", Authorization";
    }

    /** What a page of a feed depends on whose size the client left to the server. */
    String withoutLimit(Feed feed) {
        return of(feed) + ", Sec-CH-UA-Mobile";
    }
}
