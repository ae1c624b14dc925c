package dev.tidemark.http.access;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where the issuer of tokens puts what is checked. The claims are named as {@link ClaimName} finds them. */
@ConfigMapping(prefix = "tidemark.token")
public interface TokenConfig {

    /** The claim that must contain one of {@code mp.jwt.verify.audiences}. */
    @WithDefault("aud")
    String audienceClaim();

    /** The claim that lists the caller's roles. */
    @WithDefault("groups")
    String rolesClaim();
}
