package dev.tidemark.cursor;

import dev.tidemark.cursor.CursorRejectedException.Reason;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.Enumerated;
import dev.tidemark.feed.ListState;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Position;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Seals with AES-SIV, which needs no nonce: equal places give equal tokens.
 *
 * <p>The list state's digest travels inside the token. Were it associated data, a token of another list could not be
 * told from a forgery.
 */
final class AesSivCursorSealer implements CursorSealer {

    private static final int MAX_CHARS = 8_000;

    /** No token of another purpose or format opens here, whatever key sealed it. */
    private static final byte[] FORMAT = "tidemark cursor 1".getBytes(StandardCharsets.UTF_8);

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final CursorKeys keys;
    private final Optional<Duration> lifetime;
    private final Clock clock;

    /** Of the list state that was asked for last: a page opens and seals several tokens of one. */
    private volatile Digest last;

    /** A list state's digest, held by identity: comparing definitions would cost what is saved. */
    private record Digest(ListState state, byte[] bytes) {}

    /** @param lifetime at least 10 seconds, if any */
    AesSivCursorSealer(CursorKeys keys, Optional<Duration> lifetime, Clock clock) {
        this.keys = keys;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    @Override
    public String seal(ListState state, Continuation continuation) {
        byte[] content = new CursorContent(issueTime(), digest(state), continuation).toBytes();
        String token = ENCODER.encodeToString(keys.seal(content, FORMAT));
        if (token.length() > MAX_CHARS) {
            throw new PositionTooLongException(longest(state, continuation.gap().position()));
        }
        return token;
    }

    @Override
    public Continuation open(ListState state, String token) {
        CursorContent content = unseal(token);
        if (!content.isOf(digest(state))) {
            throw new CursorRejectedException(Reason.MISMATCH);
        }
        if (!isKnown(state, content.continuation().gap().position())) {
            throw new CursorRejectedException(Reason.MISMATCH);
        }
        if (isExpired(content.issuedAt())) {
            throw new CursorRejectedException(Reason.EXPIRED);
        }
        return content.continuation();
    }

    private CursorContent unseal(String token) {
        if (token.isEmpty() || token.length() > MAX_CHARS) {
            throw new CursorRejectedException(Reason.INVALID);
        }
        try {
            byte[] sealed = DECODER.decode(token);
            if (!isSpeltAsSealed(token)) {
                throw new CursorRejectedException(Reason.INVALID);
            }
            return CursorContent.parse(keys.open(sealed, FORMAT));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new CursorRejectedException(Reason.INVALID);
        }
    }

    /** The decoder lets padding and stray last bits pass; one place has one spelling. */
    private static boolean isSpeltAsSealed(String token) {
        char last = token.charAt(token.length() - 1);
        return switch (token.length() % 4) {
            case 0 -> last != '=';
            case 2 -> "AQgw".indexOf(last) >= 0;
            case 3 -> "AEIMQUYcgkosw048".indexOf(last) >= 0;
            default -> false;
        };
    }

    /** Rounded down to a tenth of the lifetime, so that a page read again within it has the same bytes. */
    private OptionalLong issueTime() {
        if (lifetime.isEmpty()) {
            return OptionalLong.empty();
        }
        long step = lifetime.get().toSeconds() / 10;
        long now = clock.instant().getEpochSecond();
        return OptionalLong.of(now - now % step);
    }

    /** A token without its time is of before a lifetime was set, and nobody knows how old it is. */
    private boolean isExpired(OptionalLong issuedAt) {
        return lifetime.isPresent()
                && (issuedAt.isEmpty()
                        || clock.instant().getEpochSecond() - issuedAt.getAsLong()
                                > lifetime.get().toSeconds());
    }

    /** An enum can lose a label, and the database would not even read it then. */
    private static boolean isKnown(ListState state, Position position) {
        int keys = Math.min(position.size(), state.order().keys().size());
        for (int i = 0; i < keys; i++) {
            if (state.order().keys().get(i).column().type() instanceof Enumerated type
                    && !position.isNull(i)
                    && !type.labels().contains(position.value(i))) {
                return false;
            }
        }
        return true;
    }

    private byte[] digest(ListState state) {
        Digest known = last;
        if (known == null || known.state() != state) {
            byte[] definition = state.definition().getBytes(StandardCharsets.UTF_8);
            known = new Digest(state, Arrays.copyOf(Sha256.digest().digest(definition), CursorContent.DIGEST_BYTES));
            last = known;
        }
        return known.bytes();
    }

    private static Column longest(ListState state, Position position) {
        int longest = 0;
        for (int i = 1; i < position.size(); i++) {
            if (length(position, i) > length(position, longest)) {
                longest = i;
            }
        }
        return state.order().keys().get(longest).column();
    }

    private static int length(Position position, int index) {
        return position.isNull(index) ? 0 : position.value(index).getBytes(StandardCharsets.UTF_8).length;
    }
}
