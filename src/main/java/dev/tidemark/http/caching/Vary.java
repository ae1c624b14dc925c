package dev.tidemark.http.caching;

import dev.tidemark.feed.Feed;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The request headers that an answer depends on, for whoever keeps it. */
@Singleton
public class Vary {

    private static final String AUTHORIZATION = "Authorization";

    private final String always;
    private final JWTAuthContextInfo verification;

    /** With CORS on, answers repeat the origin that asked; those to requests without one must not be taken for theirs. */
    Vary(
            @ConfigProperty(name = "quarkus.http.cors.enabled", defaultValue = "false") boolean cors,
            JWTAuthContextInfo verification) {
        this.verification = verification;
        always = cors ? "Accept-Encoding, Origin" : "Accept-Encoding";
    }

    /** What every answer depends on. */
    public String always() {
        return always;
    }

    /** What every answer of a feed depends on. */
    public String of(Feed feed) {
        return feed.access().isPublic() ? always : withToken();
    }

    /** What an answer depends on that is not the same for everybody: the token, wherever it is looked for. */
    public String withToken() {
        String header = verification.getTokenHeader();
        boolean both = verification.isAlwaysCheckAuthorization() && !header.equals(AUTHORIZATION);
        return always + ", " + (both ? header + ", " + AUTHORIZATION : header);
    }

    /** What a page of a feed depends on whose size the client left to the server. */
    public String withoutLimit(Feed feed) {
        return of(feed) + ", Sec-CH-UA-Mobile";
    }
}
