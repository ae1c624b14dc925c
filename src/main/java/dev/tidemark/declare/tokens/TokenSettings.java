package dev.tidemark.declare.tokens;

import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Checks the settings of MicroProfile JWT that are needed to verify bearer tokens. */
@Singleton
public class TokenSettings {

    private static final String KEY = "mp.jwt.verify.publickey";
    private static final String KEY_LOCATION = "mp.jwt.verify.publickey.location";
    private static final String ISSUER = "mp.jwt.verify.issuer";
    private static final String AUDIENCES = "mp.jwt.verify.audiences";

    /** A message that does not quote the key, because it could be a private key that was set by mistake. */
    private static final String UNUSABLE_KEY = KEY + " or " + KEY_LOCATION
            + " does not contain a public key for mp.jwt.verify.publickey.algorithm, as PEM, JWK or JWK set";

    private final List<String> missing = new ArrayList<>();
    private final JWTAuthContextInfo jwtContext;

    public TokenSettings(
            @ConfigProperty(name = KEY) Optional<String> key,
            @ConfigProperty(name = KEY_LOCATION) Optional<String> keyLocation,
            @ConfigProperty(name = ISSUER) Optional<String> issuer,
            @ConfigProperty(name = AUDIENCES) Optional<String> audiences,
            JWTAuthContextInfo jwtContext) {
        this.jwtContext = jwtContext;
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

    /** Whether a setting has no value. {@code NONE} is the library's default. */
    private static boolean isMissing(Optional<String> value) {
        return value.filter(text -> !text.replace(',', ' ').isBlank() && !text.equals("NONE"))
                .isEmpty();
    }

    /** Returns the faults in the settings. With any of them, tokens could not be verified reliably. */
    public List<String> faults() {
        Stream<String> missingFaults = missing.stream().map(property -> property + " is missing");
        boolean hasKey = missing.stream().noneMatch(property -> property.startsWith(KEY));
        return hasKey && !VerificationKey.isUsable(jwtContext)
                ? Stream.concat(missingFaults, Stream.of(UNUSABLE_KEY)).toList()
                : missingFaults.toList();
    }
}
