package dev.tidemark.cursor;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.paging.Moment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts moments to tokens and back, using the keys for cursors. Without a key, a token can be neither read nor
 * created. Tokens do not expire. Thread-safe; does no I/O.
 *
 * <p>A token contains a digest of the form of the feed's items, and of how large an item may be before values are left
 * out of it. If that has changed, the moment that the token opens
 * to has no run, so all items count as written since. A moment can be used with another feed, too. Therefore, a token
 * also contains a digest of the forms of all feeds, and is valid for every feed as long as none of them has changed.
 */
public final class MomentSealer {

    private static final int MAX_CHARS = 1_000;
    private static final int CONTENT_BYTES_BEFORE_RUN = 3 * Long.BYTES;

    private final CursorKeys.Seal seal;
    private final Feeds feeds;
    private final long maxItemBytes;

    /** Digests of forms, of which there are only as many as declarations that were served. */
    private final Map<String, Long> digests = new ConcurrentHashMap<>();

    /**
     * The most recent moment and its token, cached because pages that are read while no transaction writes have the
     * same moment.
     */
    private volatile @Nullable SealedMoment last;

    private record SealedMoment(Moment moment, long form, long allForms, String token) {}

    /** @param maxItemBytes the most bytes of an item of which no value is left out */
    MomentSealer(CursorKeys keys, Feeds feeds, long maxItemBytes) {
        this.seal = keys.seal("tidemark moment 2");
        this.feeds = feeds;
        this.maxItemBytes = maxItemBytes;
    }

    /**
     * Returns the token of a moment. Equal moments of one feed have equal tokens. The length of the token depends only
     * on the length of {@link Moment#serverRun}.
     *
     * @param feed the feed of the page, which has delta
     */
    public String seal(Feed feed, Moment moment) {
        long form = form(feed);
        long allForms = allForms();
        SealedMoment sealed = last;
        if (sealed == null
                || form != sealed.form()
                || allForms != sealed.allForms()
                || !moment.equals(sealed.moment())) {
            sealed = new SealedMoment(moment, form, allForms, token(moment, form, allForms));
            last = sealed;
        }
        return sealed.token();
    }

    private String token(Moment moment, long form, long allForms) {
        byte[] run = moment.serverRun().getBytes(StandardCharsets.UTF_8);
        byte[] content = ByteBuffer.allocate(CONTENT_BYTES_BEFORE_RUN + run.length)
                .putLong(moment.horizon())
                .putLong(form)
                .putLong(allForms)
                .put(run)
                .array();
        return TokenText.encode(seal.seal(content));
    }

    /**
     * @param feed the feed whose items are read with this moment, which has delta
     * @return the moment; empty if the token is not a moment that was sealed with one of the keys
     */
    public Optional<Moment> open(Feed feed, String token) {
        if (token.length() > MAX_CHARS) {
            return Optional.empty();
        }
        try {
            ByteBuffer content = ByteBuffer.wrap(seal.open(TokenText.decode(token)));
            long horizon = content.getLong();
            boolean hasForm = content.getLong() == form(feed);
            boolean hasAllForms = content.getLong() == allForms();
            return Optional.of(
                    hasForm || hasAllForms
                            ? new Moment(StandardCharsets.UTF_8.decode(content).toString(), horizon)
                            : Moment.OF_NO_RUN);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private long form(Feed feed) {
        return digest(feed.policy().delta().orElseThrow().form());
    }

    private long allForms() {
        return digest(feeds.itemForms());
    }

    private long digest(String form) {
        Long digest = digests.get(form);
        return digest != null
                ? digest
                : digests.computeIfAbsent(form, text -> ByteBuffer.wrap(
                                Sha256.digest().digest((maxItemBytes + "\n" + text).getBytes(StandardCharsets.UTF_8)))
                        .getLong());
    }
}
