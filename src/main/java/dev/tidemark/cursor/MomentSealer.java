package dev.tidemark.cursor;

import dev.tidemark.paging.Moment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts moments to tokens and back, using the keys for cursors. Without a key, a token can be neither read nor
 * created. Tokens do not expire. Thread-safe; does no I/O.
 */
public final class MomentSealer {

    private static final int MAX_CHARS = 1_000;

    /** Associated data: a cursor cannot be used as a moment, or a moment as a cursor. */
    private static final byte[] FORMAT = "tidemark moment 1".getBytes(StandardCharsets.UTF_8);

    private final CursorKeys keys;

    /**
     * The most recent moment and its token, cached because pages that are read while no transaction writes have the
     * same moment.
     */
    private volatile @Nullable SealedMoment last;

    private record SealedMoment(Moment moment, String token) {}

    MomentSealer(CursorKeys keys) {
        this.keys = keys;
    }

    /**
     * Returns the token of a moment. Equal moments have equal tokens. The length of the token depends only on the
     * length of {@link Moment#serverRun}.
     */
    public String seal(Moment moment) {
        SealedMoment sealed = last;
        if (sealed == null || !moment.equals(sealed.moment())) {
            sealed = new SealedMoment(moment, token(moment));
            last = sealed;
        }
        return sealed.token();
    }

    private String token(Moment moment) {
        byte[] run = moment.serverRun().getBytes(StandardCharsets.UTF_8);
        byte[] content = ByteBuffer.allocate(Long.BYTES + run.length)
                .putLong(moment.horizon())
                .put(run)
                .array();
        return TokenText.encode(keys.seal(content, FORMAT));
    }

    /** @return the moment; empty if the token is not a moment that was sealed with one of the keys */
    public Optional<Moment> open(String token) {
        if (token.length() > MAX_CHARS) {
            return Optional.empty();
        }
        try {
            byte[] content = keys.open(TokenText.decode(token), FORMAT);
            String run = new String(content, Long.BYTES, content.length - Long.BYTES, StandardCharsets.UTF_8);
            return Optional.of(new Moment(run, ByteBuffer.wrap(content).getLong()));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
