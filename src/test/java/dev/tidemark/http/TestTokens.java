package dev.tidemark.http;

import io.smallrye.jwt.build.Jwt;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;

/** Creates tokens as an identity provider does, and forged ones. */
public final class TestTokens {

    static final String ISSUER = "https://issuer.example.org";
    public static final String AUDIENCE = "tidemark";

    /**
     * The configuration property with the private key. A field could not pass the key to the tests, because the
     * profile that creates the key is loaded by another class loader.
     */
    public static final String PRIVATE_KEY_PROPERTY = "test.private-key";

    private TestTokens() {}

    public static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    public static JwtClaimsBuilder claims(String... groups) {
        return Jwt.issuer(ISSUER)
                .audience(AUDIENCE)
                .subject("somebody")
                .expiresAt(Instant.now().plusSeconds(300))
                .groups(Set.of(groups));
    }

    /** The value of {@code Authorization} for a token with these claims. */
    public static String bearer(JwtClaimsBuilder claims) {
        return "Bearer " + claims.jws().keyId("main").sign(privateKey());
    }

    /**
     * A token for a payload that {@link #bearer} cannot build.
     *
     * @param claims the claims beside those that are always present, as the inside of a JSON object; each character
     *     stands for one byte
     */
    public static String ofPayload(String claims) {
        JsonWebSignature signature = new JsonWebSignature();
        long now = Instant.now().getEpochSecond();
        String payload = "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"somebody\",\"iat\":%d,\"exp\":%d,%s}"
                .formatted(ISSUER, AUDIENCE, now, now + 300, claims);
        signature.setPayloadBytes(payload.getBytes(StandardCharsets.ISO_8859_1));
        signature.setAlgorithmHeaderValue("RS256");
        signature.setKeyIdHeaderValue("main");
        signature.setKey(privateKey());
        try {
            return "Bearer " + signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String ofTenant(long tenant) {
        return bearer(claims().claim("tenant", tenant));
    }

    public static String withRoles(String... roles) {
        return bearer(claims(roles));
    }

    /** The claims of a valid token under a forged header, without a signature. */
    public static String unsigned(String token, String header) {
        String encoded =
                Base64.getUrlEncoder().withoutPadding().encodeToString(header.getBytes(StandardCharsets.UTF_8));
        return "Bearer " + encoded + '.' + token.split("\\.")[1] + '.';
    }

    /** The claims of a valid token, signed by HMAC with the server's public key as the secret. */
    public static String signedWithPublicKey(String token, byte[] publicKey) {
        String unsigned = unsigned(token, "{\"alg\":\"HS256\",\"typ\":\"JWT\",\"kid\":\"main\"}");
        String signed = unsigned.substring("Bearer ".length(), unsigned.length() - 1);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(publicKey, "HmacSHA256"));
            byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));
            return unsigned + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PrivateKey privateKey() {
        byte[] key =
                Base64.getDecoder().decode(ConfigProvider.getConfig().getValue(PRIVATE_KEY_PROPERTY, String.class));
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
