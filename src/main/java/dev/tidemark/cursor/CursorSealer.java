package dev.tidemark.cursor;

import dev.tidemark.cursor.CursorRejectedException.Reason;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Position;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Converts continuations to tokens and back.
 *
 * <p>Without a key, a token can be neither read nor created. A token can be opened only with the list state it was
 * sealed with. Until the token expires, {@code open(state, seal(state, c))} equals {@code c}. With the same first key,
 * the same continuation and list state produce the same token; if a lifetime is set, for up to a tenth of the
 * lifetime. Tokens are canonical base64url without padding. Thread-safe; does no I/O.
 *
 * <p>Tokens are sealed with AES-SIV, which needs no nonce. The digest of the list state is part of the encrypted
 * content. If it were associated data, a token of another list could not be distinguished from a forged one.
 */
public final class CursorSealer {

    private static final int MAX_CHARS = 8_000;

    private final CursorKeys.Seal seal;
    private final Optional<Duration> lifetime;
    private final Clock clock;

    /**
     * The digest of the most recent definition, cached because a page opens and seals several tokens of one list
     * state, and many clients read the same list.
     */
    private volatile @Nullable Digest lastDigest;

    private record Digest(String definition, byte[] bytes) {}

    /** @param lifetime at least 10 seconds; empty if cursors do not expire */
    CursorSealer(CursorKeys keys, Optional<Duration> lifetime, Clock clock) {
        this.seal = keys.seal("tidemark cursor 1");
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /**
     * @return a token of at most 8,000 characters
     * @throws PositionTooLongException if the values of the position do not fit into a token
     */
    public String seal(ListState state, Continuation continuation) {
        return sealToken(state, continuation).text();
    }

    /** Like {@link #seal}, but also returns what the token says apart from its floor. */
    public Token sealToken(ListState state, Continuation continuation) {
        CursorContent content = new CursorContent(issueTime(), digest(state), continuation);
        byte[] plaintext = content.toBytes();
        String text = TokenText.encode(seal.seal(plaintext));
        if (text.length() > MAX_CHARS) {
            throw new PositionTooLongException(
                    longestColumn(state, continuation.gap().position()));
        }
        return new Token(
                text,
                continuation.floor().isEmpty()
                        ? plaintext
                        : content.withoutFloor().toBytes());
    }

    /** @throws CursorRejectedException if the token cannot be opened */
    public Continuation open(ListState state, String token) {
        CursorContent content = unseal(token);
        if (!content.hasDigest(digest(state))
                || !hasKnownLabels(state, content.continuation().gap().position())) {
            throw new CursorRejectedException(Reason.MISMATCH);
        }
        if (isExpired(content.issuedAt())) {
            throw new CursorRejectedException(Reason.EXPIRED);
        }
        return content.continuation();
    }

    private CursorContent unseal(String token) {
        if (token.length() > MAX_CHARS) {
            throw new CursorRejectedException(Reason.INVALID);
        }
        try {
            return CursorContent.parse(seal.open(TokenText.decode(token)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new CursorRejectedException(Reason.INVALID);
        }
    }

    /**
     * Returns the current time in seconds since 1970, rounded down to a multiple of a tenth of the lifetime, so that a
     * page that is read twice within such an interval has the same bytes. Empty if cursors do not expire.
     */
    private OptionalLong issueTime() {
        if (lifetime.isEmpty()) {
            return OptionalLong.empty();
        }
        long step = lifetime.get().toSeconds() / 10;
        long now = clock.instant().getEpochSecond();
        return OptionalLong.of(now - now % step);
    }

    /**
     * A token without a time of issue was sealed while no lifetime was configured. Its age is unknown, so it counts as
     * expired.
     */
    private boolean isExpired(OptionalLong issuedAt) {
        return lifetime.isPresent()
                && (issuedAt.isEmpty()
                        || clock.instant().getEpochSecond() - issuedAt.getAsLong()
                                > lifetime.get().toSeconds());
    }

    /**
     * Returns whether the enum labels in the position still exist. A label can be renamed after a token was sealed,
     * and the database would reject the old label.
     */
    private static boolean hasKnownLabels(ListState state, Position position) {
        int keys = Math.min(position.size(), state.order().keys().size());
        for (int i = 0; i < keys; i++) {
            if (state.order().keys().get(i).column().type() instanceof EnumType type
                    && !position.isNull(i)
                    && !type.labels().contains(position.value(i))) {
                return false;
            }
        }
        return true;
    }

    private byte[] digest(ListState state) {
        Digest cached = lastDigest;
        if (cached == null || !cached.definition().equals(state.definition())) {
            byte[] definition = state.definition().getBytes(StandardCharsets.UTF_8);
            cached = new Digest(
                    state.definition(), Arrays.copyOf(Sha256.digest().digest(definition), CursorContent.DIGEST_BYTES));
            lastDigest = cached;
        }
        return cached.bytes();
    }

    private static Column longestColumn(ListState state, Position position) {
        int longest = 0;
        for (int i = 1; i < position.size(); i++) {
            if (length(position, i) > length(position, longest)) {
                longest = i;
            }
        }
        return state.order().keys().get(longest).column();
    }

    private static int length(Position position, int index) {
        String value = position.value(index);
        return value == null ? 0 : value.getBytes(StandardCharsets.UTF_8).length;
    }
}
