package dev.tidemark.http.json;

import dev.tidemark.feed.read.RowValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The member {@code oversized}: the keys of the items of which values were left out, because the items alone are
 * larger than a page may be, with the names of the columns.
 */
public final class OversizedItems {

    private final Optional<KeyWriter> keyWriter;
    private final List<byte[]> entries = new ArrayList<>(0);

    /** @param keyWriter empty if the items do not show their key */
    OversizedItems(Optional<KeyWriter> keyWriter) {
        this.keyWriter = keyWriter;
    }

    void add(RowValues row, List<String> columns) {
        entries.add(JsonBytes.bytesOf(json -> {
            json.raw("{\"key\":");
            keyWriter.ifPresentOrElse(writer -> writer.write(json, row), json::nullValue);
            for (int i = 0; i < columns.size(); i++) {
                json.raw(i == 0 ? ",\"columns\":[" : ",").string(columns.get(i));
            }
            json.raw("]}");
        }));
    }

    /** Returns the entry that was added last. */
    public byte[] last() {
        return entries.get(entries.size() - 1);
    }

    public int size() {
        return entries.size();
    }

    void clear() {
        entries.clear();
    }

    /**
     * Writes a comma and the member, if there are entries.
     *
     * @param entries in the order in which the rows arrived
     * @param reversed whether the rows arrived in reverse order
     */
    public static void write(JsonBytes json, List<byte[]> entries, boolean reversed) {
        for (int i = 0; i < entries.size(); i++) {
            json.raw(i == 0 ? ",\"oversized\":[" : ",").raw(entries.get(reversed ? entries.size() - 1 - i : i));
        }
        if (!entries.isEmpty()) {
            json.raw(']');
        }
    }

    List<byte[]> entries() {
        return entries;
    }
}
