package dev.tidemark.client;

import dev.tidemark.client.KeptList.Part;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The bytes in which a part of a list is kept: a line with a checksum of the rest, and a JSON object. The object has
 * the list's URL, because the cursors and the items are of no use to another list.
 *
 * @param jsonOf returns the JSON text of an item
 */
record KeptForm<T>(FeedList<T> list, Function<T, List<String>> keyOf, Function<T, String> jsonOf) {

    private static final System.Logger LOG = System.getLogger("dev.tidemark.client");
    private static final String FORMAT = "tidemark-kept-2 ";

    byte[] write(Part<T> part) {
        String items = part.window().keys().stream()
                .map(part.window().items()::get)
                .filter(Objects::nonNull)
                .map(jsonOf)
                .collect(Collectors.joining(",\n", "[", "]"));
        String json = "{\"list\":" + quote(list.identity()) + ",\"moment\":" + quote(part.moment()) + ",\"bottom\":"
                + quote(part.bottom()) + ",\"items\":" + items + "}\n";
        return (header(json) + json).getBytes(StandardCharsets.UTF_8);
    }

    /** Quotes a URL or a token, neither of which has a character to escape. */
    private static String quote(@Nullable String text) {
        return text == null ? "null" : '"' + text + '"';
    }

    private static String header(String json) {
        CRC32 checksum = new CRC32();
        checksum.update(json.getBytes(StandardCharsets.UTF_8));
        return FORMAT + Long.toHexString(checksum.getValue()) + "\n";
    }

    /** Returns the part of the list; empty if the bytes are incomplete, altered, or of another list. */
    Optional<Part<T>> read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        String json = text.substring(text.indexOf('\n') + 1);
        if (!text.equals(header(json) + json)) {
            LOG.log(System.Logger.Level.WARNING, "What a store has loaded is no kept list, or is incomplete");
            return Optional.empty();
        }
        Map<String, String> members = JsonText.members(json);
        if (!JsonText.string(Page.requiredMember(members, "list")).equals(list.identity())) {
            return Optional.empty();
        }
        try {
            List<T> items = Page.parseItems(Page.requiredMember(members, "items"), list.mapper());
            return Optional.of(new Part<>(
                    Window.of(items, keyOf),
                    Page.parseCursor(members, "bottom").orElse(null),
                    Page.parseCursor(members, "moment").orElse(null)));
        } catch (RuntimeException e) {
            // The program has changed since, and maps other items, or maps them in another way.
            LOG.log(System.Logger.Level.WARNING, "An item of a kept list cannot be mapped", e);
            return Optional.empty();
        }
    }
}
