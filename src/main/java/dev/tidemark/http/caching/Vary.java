package dev.tidemark.http.caching;

import dev.tidemark.feed.Feed;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The request headers that an answer depends on, for caches. */
@Singleton
public class Vary {

    private static final String AUTHORIZATION = "Authorization";

    private final String always;
    private final JWTAuthContextInfo verification;

    /** With CORS on, an answer repeats the request's origin, and must not be reused for a request with another origin or none. */
    Vary(
            @ConfigProperty(name = "quarkus.http.cors.enabled", defaultValue = "false") boolean cors,
            JWTAuthContextInfo verification) {
        this.verification = verification;
        always = cors ? "Accept-Encoding, Origin" : "Accept-Encoding";
    }

    /** For every answer. */
    public String always() {
        return always;
    }

    /** For every answer of a feed. */
    public String of(Feed feed) {
        return feed.access().isPublic() ? always : withToken();
    }

    /** For an answer that depends on the caller: the headers that may carry the token. */
    public String withToken() {
        String header = verification.getTokenHeader();
        boolean both = verification.isAlwaysCheckAuthorization() && !header.equals(AUTHORIZATION);
        return always + ", " + (both ? header + ", " + AUTHORIZATION : header);
    }

    /** For a page of a feed whose request has no {@code limit}. */
    public String withoutLimit(Feed feed) {
        return of(feed) + ", Sec-CH-UA-Mobile";
    }
}
