package dev.tidemark.http.live;

import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.page.PageMembers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the events of a stream. The id of each event is the moment to resume from. */
final class LiveEvents {

    private LiveEvents() {}

    /** The whole window: a page with the keys of all items, and the items that the rows have. */
    static byte[] page(WindowRows rows, PageMembers members, String moment) {
        byte[] data = JsonBytes.bytesOf(json -> {
            rows.write(json.raw('{'));
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
            json.raw(",\"cursors\":{\"top\":").tokenOrNull(members.top());
            json.raw(",\"last\":").tokenOrNull(members.last());
            json.raw("}}");
        });
        return event("change", moment, data);
    }

    /** A line break in the data, which a value of type json can contain, begins a new line of data. */
    private static byte[] event(String name, String id, byte[] data) {
        ByteArrayOutputStream event = new ByteArrayOutputStream(data.length + id.length() + 40);
        event.writeBytes(("event: " + name + "\nid: " + id + "\ndata: ").getBytes(StandardCharsets.UTF_8));
        byte[] nextLine = "\ndata: ".getBytes(StandardCharsets.UTF_8);
        int start = 0;
        for (int i = 0; i < data.length; i++) {
            if (data[i] == '\n' || data[i] == '\r') {
                event.write(data, start, i - start);
                event.writeBytes(nextLine);
                start = i + 1;
            }
        }
        event.write(data, start, data.length - start);
        event.write('\n');
        event.write('\n');
        return event.toByteArray();
    }
}
