package dev.tidemark.http.caching;

import dev.tidemark.feed.Feed;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Creates values for the header {@code Vary}, which tells caches which request headers a response depends on. */
@Singleton
public class Vary {

    /** The client hint that says whether a client is mobile. It determines the default limit. */
    public static final String MOBILE = "Sec-CH-UA-Mobile";

    private static final String AUTHORIZATION = "Authorization";

    private final String common;
    private final JWTAuthContextInfo verification;

    /**
     * If CORS is enabled, a response repeats the origin of its request. Caches must not reuse the response for a
     * request with a different origin or without one.
     */
    Vary(
            @ConfigProperty(name = "quarkus.http.cors.enabled", defaultValue = "false") boolean isCorsEnabled,
            JWTAuthContextInfo verification) {
        this.verification = verification;
        common = isCorsEnabled ? "Accept-Encoding, Origin" : "Accept-Encoding";
    }

    /** Returns the headers that every response depends on. */
    public String commonHeaders() {
        return common;
    }

    /** Returns the headers that every response of a feed depends on. */
    public String of(Feed feed) {
        return feed.access().isPublic() ? common : withTokenHeaders();
    }

    /** Returns the common headers and those that can contain the caller's token. */
    public String withTokenHeaders() {
        String header = verification.getTokenHeader();
        boolean readsBothHeaders = verification.isAlwaysCheckAuthorization() && !header.equals(AUTHORIZATION);
        return common + ", " + (readsBothHeaders ? header + ", " + AUTHORIZATION : header);
    }

    /** Returns the headers of {@link #of} and {@link #MOBILE}. */
    public String ofPageWithoutLimit(Feed feed) {
        return of(feed) + ", " + MOBILE;
    }
}
