package dev.tidemark.http.access;

import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.LooseEquality;
import dev.tidemark.feed.value.InvalidValueException;
import dev.tidemark.feed.value.ValueParser;
import jakarta.json.JsonNumber;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jspecify.annotations.Nullable;

/** A token whose signature, issuer, and audience have been verified. */
public final class BearerToken {

    private static final Set<Scalar> NUMERIC_TYPES =
            EnumSet.of(Scalar.SMALLINT, Scalar.INTEGER, Scalar.BIGINT, Scalar.NUMERIC, Scalar.REAL, Scalar.DOUBLE);

    /** The latest supported expiry. It replaces any later expiry, because arithmetic on later times can overflow. */
    private static final Instant LATEST_EXPIRY = Instant.parse("9999-12-31T23:59:59Z");

    /** Decimals with at most this many significant digits survive a conversion to {@code double}. */
    private static final int DOUBLE_DIGITS = 15;

    private static final char REPLACEMENT_CHARACTER = '\ufffd';

    private final JsonWebToken token;
    private final Set<String> roles;
    private final Instant expiry;

    /** @param clockSkew how long the token remains valid after its expiry, because clocks can differ */
    BearerToken(JsonWebToken token, Set<String> roles, Duration clockSkew) {
        this.token = token;
        this.roles = roles;
        this.expiry = Instant.ofEpochSecond(Math.min(token.getExpirationTime(), LATEST_EXPIRY.getEpochSecond()))
                .plus(clockSkew);
    }

    /** @return the caller with their scope; empty if the token does not allow them to read the feed */
    public Optional<Caller> callerFor(Access access) {
        // Only these arguments are never null: a token can list null among its roles.
        if (!access.roles().isEmpty() && access.roles().stream().noneMatch(roles::contains)) {
            return Optional.empty();
        }
        List<Condition> scope = new ArrayList<>();
        for (Access.Scope part : access.scope()) {
            Optional<Condition> condition = condition(part);
            if (condition.isEmpty()) {
                return Optional.empty();
            }
            scope.add(condition.get());
        }
        return Optional.of(new Caller(scope, Optional.of(expiry)));
    }

    /** Returns the condition for a part of the scope; empty if a claim is missing or rejected. */
    private Optional<Condition> condition(Access.Scope part) {
        if (part instanceof Access.ClaimScope claim) {
            return columnValue(claim).map(value -> new Condition.InScope(claim.column(), value));
        }
        Access.Membership membership = (Access.Membership) part;
        List<String> values = new ArrayList<>();
        for (Access.ClaimScope claim : membership.where()) {
            Optional<String> value = columnValue(claim);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        return Optional.of(new Condition.InMembership(membership, values));
    }

    private Optional<String> columnValue(Access.ClaimScope scope) {
        return columnValue(scope.column(), find(scope.claim()));
    }

    private @Nullable Object find(String claim) {
        return ClaimName.find(token::getClaim, claim);
    }

    /**
     * Returns the names of the claims that a feed needs and this token lacks, or has an empty list or null instead.
     */
    Stream<String> missingClaims(Access access, String rolesClaim) {
        boolean lacksRoles = !access.roles().isEmpty() && roles.isEmpty();
        return Stream.concat(
                lacksRoles ? Stream.of(rolesClaim) : Stream.empty(),
                access.claims().filter(claim -> isMissing(find(claim))));
    }

    private static boolean isMissing(@Nullable Object claim) {
        return claim == null || claim == JsonValue.NULL || claim instanceof Collection<?> list && list.isEmpty();
    }

    boolean isExpired() {
        return !Instant.now().isBefore(expiry);
    }

    /**
     * Returns a claim as a value of the column; empty if the claim is missing or rejected. A string can contain a
     * value of any type; a number is accepted only for a numeric column, and a boolean only for a boolean column.
     * Objects, lists, blank strings, strings that are not Unicode, and numbers that may have been rounded after they
     * were signed are rejected.
     */
    private static Optional<String> columnValue(Column column, @Nullable Object claim) {
        boolean isNumber = claim instanceof Long || claim instanceof JsonNumber number && isUnrounded(number);
        boolean isBoolean = claim instanceof Boolean || claim == JsonValue.TRUE || claim == JsonValue.FALSE;
        String text = claim instanceof JsonString member ? member.getString() : String.valueOf(claim);
        boolean isText = claim instanceof String || claim instanceof JsonString;
        boolean isAccepted = isText && canIdentifyCaller(column, text)
                || isNumber && column.type() instanceof Scalar scalar && NUMERIC_TYPES.contains(scalar)
                || isBoolean && column.type() == Scalar.BOOLEAN;
        try {
            return isAccepted ? Optional.of(ValueParser.parse(column, text)) : Optional.empty();
        } catch (InvalidValueException rejected) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether a string can identify a caller. A column of type {@code char(n)} ignores trailing blanks, but a
     * claim that ends with a blank may identify a different caller than the same claim without the blank.
     */
    private static boolean canIdentifyCaller(Column column, String text) {
        return !text.isBlank()
                && !(LooseEquality.ignoresTrailingBlanks(column) && text.endsWith(" "))
                && isFaithful(text);
    }

    /**
     * Returns whether the string reaches the database as it was signed. The driver sends a question mark for an
     * unpaired surrogate. The replacement character may stand for bytes that are not UTF-8. Either could be another
     * caller's value.
     */
    private static boolean isFaithful(String text) {
        int length;
        for (int i = 0; i < text.length(); i += length) {
            int character = text.codePointAt(i);
            length = Character.charCount(character);
            if (character == REPLACEMENT_CHARACTER || Character.getType(character) == Character.SURROGATE) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a number certainly has all the digits that were signed. The library converts every number that
     * is not a {@code long} to {@code double}.
     */
    private static boolean isUnrounded(JsonNumber number) {
        BigDecimal value = number.bigDecimalValue();
        return value.precision() <= DOUBLE_DIGITS
                || number.isIntegral() && value.toBigInteger().bitLength() < Long.SIZE;
    }
}
