package dev.tidemark.http.caching;

import dev.tidemark.feed.Feed;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Creates the values of {@code Vary}: the request headers that a response depends on, for caches. */
@Singleton
public class Vary {

    private static final String AUTHORIZATION = "Authorization";

    private final String common;
    private final JWTAuthContextInfo verification;

    /**
     * If CORS is enabled, a response repeats the origin of its request. Caches must not reuse it for a request with
     * another origin or none.
     */
    Vary(
            @ConfigProperty(name = "quarkus.http.cors.enabled", defaultValue = "false") boolean cors,
            JWTAuthContextInfo verification) {
        this.verification = verification;
        common = cors ? "Accept-Encoding, Origin" : "Accept-Encoding";
    }

    /** Returns the value for every response. */
    public String common() {
        return common;
    }

    /** Returns the value for every response of a feed. */
    public String of(Feed feed) {
        return feed.access().isPublic() ? common : withToken();
    }

    /**
     * Returns the value for a response that depends on the caller, including the headers that may contain the token.
     */
    public String withToken() {
        String header = verification.getTokenHeader();
        boolean both = verification.isAlwaysCheckAuthorization() && !header.equals(AUTHORIZATION);
        return common + ", " + (both ? header + ", " + AUTHORIZATION : header);
    }

    /** Returns the value for a page of a feed if the request has no {@code limit}. */
    public String withoutLimit(Feed feed) {
        return of(feed) + ", Sec-CH-UA-Mobile";
    }
}
