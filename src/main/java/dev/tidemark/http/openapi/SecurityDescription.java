package dev.tidemark.http.openapi;

import static org.eclipse.microprofile.openapi.OASFactory.createSecurityRequirement;
import static org.eclipse.microprofile.openapi.OASFactory.createSecurityScheme;

import dev.tidemark.feed.Feed;
import java.util.List;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;

/**
 * Describes which operations need a token, and how clients send it, for the OpenAPI document.
 *
 * @param headerName the name of the header that has the token
 * @param cookieName the name of the cookie that has the token, if the header is {@code Cookie}
 * @param needsToken whether the document describes a feed that needs a token
 */
record SecurityDescription(String headerName, String cookieName, boolean needsToken) {

    private static final String SCHEME = "token";
    private static final String DESCRIPTION = "A JSON Web Token of the identity provider that this server trusts.";

    void describe(Components components) {
        if (needsToken) {
            components.addSecurityScheme(SCHEME, scheme().description(DESCRIPTION));
        }
    }

    private SecurityScheme scheme() {
        SecurityScheme scheme = createSecurityScheme();
        if (headerName.equalsIgnoreCase("Authorization")) {
            return scheme.type(SecurityScheme.Type.HTTP).scheme("bearer").bearerFormat("JWT");
        }
        scheme.type(SecurityScheme.Type.APIKEY);
        return headerName.equalsIgnoreCase("Cookie")
                ? scheme.in(SecurityScheme.In.COOKIE).name(cookieName)
                : scheme.in(SecurityScheme.In.HEADER).name(headerName);
    }

    /** Returns the requirements of a feed's operations; empty for a public feed. A caller must meet one of them. */
    List<SecurityRequirement> requirements(Feed feed) {
        return feed.access().isPublic() ? List.of() : List.of(tokenRequirement());
    }

    /**
     * Returns the requirements of the list of feeds. The token is optional: without it, the list contains only public
     * feeds.
     */
    List<SecurityRequirement> feedListRequirements() {
        return needsToken ? List.of(createSecurityRequirement(), tokenRequirement()) : List.of();
    }

    private static SecurityRequirement tokenRequirement() {
        return createSecurityRequirement().addScheme(SCHEME);
    }
}
