package dev.tidemark.declare;

import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What is configured for telling good bearer tokens from bad ones, under the names of MicroProfile JWT. */
@Singleton
public class TokenVerification {

    private static final String KEY = "mp.jwt.verify.publickey";
    private static final String KEY_LOCATION = "mp.jwt.verify.publickey.location";
    private static final String ISSUER = "mp.jwt.verify.issuer";
    private static final String AUDIENCES = "mp.jwt.verify.audiences";

    /** Without the key: people paste the wrong one of the two there. */
    private static final String UNREADABLE = "what " + KEY + " or " + KEY_LOCATION
            + " gives is no public key of mp.jwt.verify.publickey.algorithm, as PEM, JWK or JWK set";

    private final List<String> missing = new ArrayList<>();
    private final JWTAuthContextInfo configured;

    TokenVerification(
            @ConfigProperty(name = KEY) Optional<String> key,
            @ConfigProperty(name = KEY_LOCATION) Optional<String> keyLocation,
            @ConfigProperty(name = ISSUER) Optional<String> issuer,
            @ConfigProperty(name = AUDIENCES) Optional<String> audiences,
            JWTAuthContextInfo configured) {
        this.configured = configured;
        if (isMissing(key) && isMissing(keyLocation)) {
            missing.add(KEY + " or " + KEY_LOCATION);
        }
        if (isMissing(issuer)) {
            missing.add(ISSUER);
        }
        if (isMissing(audiences)) {
            missing.add(AUDIENCES);
        }
    }

    /** The library that verifies says of its own accord {@code NONE} where there is none. */
    private static boolean isMissing(Optional<String> value) {
        return value.filter(text -> !text.replace(',', ' ').isBlank() && !text.equals("NONE"))
                .isEmpty();
    }

    /** What must be otherwise, or a token proves too little or nothing. */
    List<String> faults() {
        Stream<String> needed = missing.stream().map(property -> "needs " + property);
        boolean hasKey = missing.stream().noneMatch(property -> property.startsWith(KEY));
        return hasKey && !VerificationKey.isReadable(configured)
                ? Stream.concat(needed, Stream.of(UNREADABLE)).toList()
                : needed.toList();
    }
}
