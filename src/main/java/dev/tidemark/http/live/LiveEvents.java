package dev.tidemark.http.live;

import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.page.PageMembers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the events of a stream. The id of each event is the moment to resume from. */
public final class LiveEvents {

    private LiveEvents() {}

    /** The whole window: a page with the keys of all items. */
    public static byte[] page(WindowRows rows, boolean onlyWrittenItems, PageMembers members, String moment) {
        byte[] data = JsonBytes.bytesOf(json -> {
            rows.write(json.raw('{'), onlyWrittenItems);
            members.write(json.raw(','));
            json.raw(",\"moment\":\"").raw(moment).raw("\"}");
        });
        return event("page", moment, data);
    }

    static byte[] change(WindowChange change, WindowRows rows, PageMembers members, String moment) {
        byte[] data = JsonBytes.bytesOf(json -> {
            change.write(json.raw('{'), rows);
            json.raw(",\"has_more\":").bool(members.hasNext());
            json.raw(",\"has_prev\":").bool(members.hasPrevious());
            members.writeCursors(json.raw(','));
            json.raw('}');
        });
        return event("change", moment, data);
    }

    /**
     * The last event of a stream whose window can no longer be read. It has no id, because it is no state of the
     * window.
     */
    static byte[] problem(byte[] json) {
        return ("event: problem\ndata: " + new String(json, StandardCharsets.UTF_8) + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** JSON that this server writes has no line breaks. */
    private static byte[] event(String name, String id, byte[] data) {
        byte[] head = ("event: " + name + "\nid: " + id + "\ndata: ").getBytes(StandardCharsets.US_ASCII);
        byte[] event = Arrays.copyOf(head, head.length + data.length + 2);
        System.arraycopy(data, 0, event, head.length, data.length);
        event[event.length - 2] = '\n';
        event[event.length - 1] = '\n';
        return event;
    }
}
