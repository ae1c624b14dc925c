package dev.tidemark.http.access;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.FeedFitness;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Lets callers in to what they may read, before anything else is looked at that they ask. */
@Singleton
public class Admission {

    private static final Problem NO_TOKEN = Problem.unauthorized("Bearer", "reading this needs a bearer token");

    /** Which of its parts is bad helps those most who make bad ones. */
    private static final Problem BAD_TOKEN = Problem.unauthorized(
            "Bearer error=\"invalid_token\"", "the token is expired, or not one that this server trusts");

    private static final Problem NO_KEY =
            Problem.of(ProblemCode.UNAVAILABLE, "the keys that tokens are verified with cannot be fetched now");

    private static final Problem NOT_ALLOWED =
            Problem.of(ProblemCode.FORBIDDEN, "the token is good, and does not let its bearer read this");

    private static final Problem BROKEN = Problem.of(
            ProblemCode.UNAVAILABLE, "the feed's table no longer fits it; the server's log and its readiness say why");

    private final IdentityProviderManager identities;
    private final FeedFitness fitness;
    private final Duration grace;

    /** @param skewSeconds by which clocks may differ */
    Admission(
            IdentityProviderManager identities,
            FeedFitness fitness,
            @ConfigProperty(name = "mp.jwt.verify.clock.skew", defaultValue = "60") int skewSeconds) {
        this.identities = identities;
        this.fitness = fitness;
        this.grace = Duration.ofSeconds(skewSeconds);
    }

    /**
     * Answers who may read the feed. Of those who read a public one, nothing is looked at.
     *
     * @return a {@link Problem} {@code unauthorized} or {@code forbidden} for others, which tells nothing of the feed; and
     *     {@code unavailable} where it no longer fits its table
     */
    public <T> Uni<T> admit(Feed feed, RoutingContext request, Function<Caller, Uni<T>> answer) {
        Access access = feed.access();
        if (access.isPublic()) {
            return whole(feed, Caller.ANYBODY, answer);
        }
        return token(request)
                .map(token ->
                        token.orElseThrow(() -> NO_TOKEN).admittedBy(access).orElseThrow(() -> NOT_ALLOWED))
                .chain(caller -> whole(feed, caller, answer));
    }

    private <T> Uni<T> whole(Feed feed, Caller caller, Function<Caller, Uni<T>> answer) {
        if (fitness.broken().containsKey(feed.name())) {
            // It may have been mended.
            fitness.look().subscribe().with(looked -> {});
            return Uni.createFrom().failure(BROKEN);
        }
        return answer.apply(caller);
    }

    /** @return nothing when the request has none, and a {@link Problem} for one that is bad or cannot be verified */
    public Uni<Optional<BearerToken>> token(RoutingContext request) {
        // Keys may have to be fetched for it, which happens on another thread.
        Context context = Vertx.currentContext();
        return QuarkusHttpUser.getSecurityIdentity(request, identities)
                .emitOn(task -> context.runOnContext(now -> task.run()))
                .map(this::token)
                .onFailure(AuthenticationFailedException.class)
                .transform(Admission::refusal)
                // The signature holds, and some claim is a number beyond all types: the library takes it for a bug.
                .onFailure(NumberFormatException.class)
                .transform(beyond -> NOT_ALLOWED);
    }

    /** A key that could not be fetched says nothing of the token. */
    private static Problem refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return NO_KEY;
            }
        }
        return BAD_TOKEN;
    }

    private Optional<BearerToken> token(SecurityIdentity identity) {
        if (identity.getPrincipal() instanceof JsonWebToken claims) {
            BearerToken token = new BearerToken(claims, identity.getRoles(), grace);
            // Where clocks may not differ at all, the library lets them differ by a minute.
            if (token.isExpired()) {
                throw BAD_TOKEN;
            }
            return Optional.of(token);
        }
        return Optional.empty();
    }
}
