package dev.tidemark.http.fresh;

import dev.tidemark.http.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * How many items are new, up to {@value #MOST}. There are only {@value #MOST} and two of these, so that each is written
 * once and serves all who are told the same number.
 */
public final class FreshCount {

    /** The greatest number that is told; what lies beyond it is not counted. */
    public static final int MOST = 100;

    /** What to count to, so that the greatest number is told from what is more. */
    static final int COUNTED = MOST + 1;

    private static final FreshCount[] ALL =
            IntStream.rangeClosed(0, COUNTED).mapToObj(FreshCount::new).toArray(FreshCount[]::new);

    private final byte[] json;
    private final byte[] event;

    private FreshCount(int counted) {
        json = Json.bytes(writer -> {
            writer.writeStartObject();
            writer.writeNumberField("count", Math.min(counted, MOST));
            writer.writeBooleanField("capped", counted > MOST);
            writer.writeEndObject();
        });
        event = ("event: fresh\ndata: " + new String(json, StandardCharsets.UTF_8) + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** @param counted from 0 to {@link #COUNTED} */
    static FreshCount of(int counted) {
        return ALL[counted];
    }

    /** Not to be written to. */
    byte[] json() {
        return json;
    }

    /** As a server-sent event; not to be written to. */
    byte[] event() {
        return event;
    }

    @Override
    public String toString() {
        return new String(json, StandardCharsets.UTF_8);
    }
}
