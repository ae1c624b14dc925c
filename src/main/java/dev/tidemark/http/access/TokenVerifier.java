package dev.tidemark.http.access;

import io.smallrye.jwt.auth.principal.DefaultJWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.DefaultJWTTokenParser;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipalFactory;
import io.smallrye.jwt.auth.principal.ParseException;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.jwt.Claims;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.consumer.JwtContext;
import org.jspecify.annotations.Nullable;

/**
 * Verifies each token as the library does, except that {@link TokenConfig} names the claims that contain the audience
 * and the roles.
 */
@Singleton
@Alternative
@Priority(1)
public class TokenVerifier extends JWTCallerPrincipalFactory {

    /** The claims that list the scopes of a token (RFC 8693 and Entra), separated by spaces. */
    private static final Set<String> WORDS = Set.of("scope", "scp");

    private final DefaultJWTTokenParser parser = new DefaultJWTTokenParser();
    private final String audienceClaim;
    private final String rolesClaim;

    TokenVerifier(TokenConfig config) {
        this.audienceClaim = config.audienceClaim();
        this.rolesClaim = config.rolesClaim();
    }

    @Override
    public JWTCallerPrincipal parse(String token, JWTAuthContextInfo settings) throws ParseException {
        boolean isOtherAudience = !audienceClaim.equals(Claims.aud.name());
        JwtContext verified = parser.parse(token, isOtherAudience ? withoutAudience(settings) : settings);
        JwtClaims claims = verified.getJwtClaims();
        if (isOtherAudience && !isFor(settings.getExpectedAudience(), claims)) {
            throw new ParseException("the claim that contains the audience has none of the expected values");
        }
        if (!rolesClaim.equals(Claims.groups.name())) {
            claims.setStringListClaim(Claims.groups.name(), strings(find(claims, rolesClaim)));
        }
        return new DefaultJWTCallerPrincipal(verified.getJoseObjects().get(0).getHeader("typ"), claims);
    }

    private static JWTAuthContextInfo withoutAudience(JWTAuthContextInfo settings) {
        JWTAuthContextInfo changed = new JWTAuthContextInfo(settings);
        changed.setExpectedAudience(null);
        return changed;
    }

    /** Unlike a list of roles, a string is one audience, whatever it contains. */
    private boolean isFor(@Nullable Set<String> audiences, JwtClaims claims) {
        Object claim = find(claims, audienceClaim);
        Collection<?> values = claim instanceof Collection<?> list ? list : Arrays.asList(claim);
        return audiences != null
                && values.stream().anyMatch(value -> value instanceof String && audiences.contains(value));
    }

    /** The strings of a list; a string is one role, except that the claims of OAuth's scopes contain words. */
    private List<String> strings(@Nullable Object claim) {
        if (claim instanceof String text) {
            boolean hasWords = WORDS.contains(rolesClaim);
            return text.isBlank() ? List.of() : hasWords ? List.of(text.strip().split(" +")) : List.of(text);
        }
        return claim instanceof Collection<?> list
                ? list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList()
                : List.of();
    }

    private static @Nullable Object find(JwtClaims claims, String name) {
        return ClaimName.find(claims::getClaimValue, name);
    }
}
