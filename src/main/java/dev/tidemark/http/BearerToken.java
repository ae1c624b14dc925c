package dev.tidemark.http;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.ValueParser;
import dev.tidemark.feed.ValueRefused;
import jakarta.json.JsonNumber;
import jakarta.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** A token that was verified: its signature, issuer, audience and expiry hold. */
final class BearerToken {

    private static final Set<Scalar> NUMBERS =
            EnumSet.of(Scalar.SMALLINT, Scalar.INTEGER, Scalar.BIGINT, Scalar.NUMERIC, Scalar.REAL, Scalar.DOUBLE);

    /** Who may read until then may read for ever; later times cannot be reckoned with. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private final JsonWebToken token;
    private final Set<String> roles;

    BearerToken(JsonWebToken token, Set<String> roles) {
        this.token = token;
        this.roles = roles;
    }

    /** @return the caller as the feed sees it; nothing where the token does not let them read it */
    Optional<Caller> admittedBy(Access access) {
        if (!access.roles().isEmpty() && Collections.disjoint(access.roles(), roles)) {
            return Optional.empty();
        }
        List<Condition> scope = new ArrayList<>();
        for (Access.Scope part : access.scope()) {
            Optional<String> value = value(part.column(), token.getClaim(part.claim()));
            if (value.isEmpty()) {
                return Optional.empty();
            }
            scope.add(new Condition.Scoped(part.column(), value.get()));
        }
        Instant until = Instant.ofEpochSecond(Math.min(token.getExpirationTime(), LATEST.getEpochSecond()));
        return Optional.of(new Caller(scope, Optional.of(until)));
    }

    /**
     * A claim that is a text may be of any type, as everywhere in JSON; a number or a boolean is of its own. A list is never
     * one value.
     */
    private static Optional<String> value(Column column, Object claim) {
        boolean isNumber = claim instanceof Number || claim instanceof JsonNumber;
        boolean isBoolean = claim instanceof Boolean || claim == JsonValue.TRUE || claim == JsonValue.FALSE;
        boolean fits = claim instanceof String
                || isNumber && column.type() instanceof Scalar scalar && NUMBERS.contains(scalar)
                || isBoolean && column.type() == Scalar.BOOLEAN;
        try {
            return fits ? Optional.of(ValueParser.parse(column, claim.toString())) : Optional.empty();
        } catch (ValueRefused refused) {
            return Optional.empty();
        }
    }
}
