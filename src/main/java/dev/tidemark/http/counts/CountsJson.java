package dev.tidemark.http.counts;

import dev.tidemark.feed.read.FeedCounter.CountOfValue;
import dev.tidemark.feed.read.FeedCounter.CountsByValue;
import dev.tidemark.feed.read.FeedCounter.ValueCounts;
import dev.tidemark.http.json.ColumnWriter;
import dev.tidemark.http.json.JsonBytes;
import java.nio.charset.StandardCharsets;

/** Writes counts by value. */
final class CountsJson {

    private static final byte[] EVENT = ascii("event: counts\ndata: ");
    private static final byte[] END_OF_EVENT = ascii("\n\n");
    private static final byte[] BY = ascii("{\"by\":");
    private static final byte[] COUNTS = ascii(",\"counts\":[");
    private static final byte[] VALUE = ascii("{\"value\":");
    private static final byte[] COUNT = ascii(",\"count\":");
    private static final byte[] CAPPED = ascii(",\"capped\":");
    private static final byte[] COMPLETE = ascii("],\"complete\":");

    private CountsJson() {}

    static byte[] body(CountsByValue counts, ValueCounts found) {
        return JsonBytes.bytesOf(json -> write(json, counts, found));
    }

    /** Returns the same as a server-sent event. */
    static byte[] event(CountsByValue counts, ValueCounts found) {
        return JsonBytes.bytesOf(json -> {
            json.raw(EVENT);
            write(json, counts, found);
            json.raw(END_OF_EVENT);
        });
    }

    private static void write(JsonBytes json, CountsByValue counts, ValueCounts found) {
        ColumnWriter writer = ColumnWriter.of(counts.by());
        json.raw(BY).string(counts.by().name()).raw(COUNTS);
        boolean isFirst = true;
        for (CountOfValue each : found.counts()) {
            if (!isFirst) {
                json.raw(',');
            }
            isFirst = false;
            json.raw(VALUE);
            if (each.value().isNull(0)) {
                json.nullValue();
            } else {
                writer.write(json, each.value(), 0);
            }
            json.raw(COUNT).number(Math.min(each.count(), counts.upTo()));
            json.raw(CAPPED).bool(each.count() > counts.upTo());
            json.raw('}');
        }
        json.raw(COMPLETE).bool(found.isComplete());
        json.raw('}');
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
