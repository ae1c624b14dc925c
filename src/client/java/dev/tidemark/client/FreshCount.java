package dev.tidemark.client;

import java.util.Map;

/**
 * The number of items beyond a cursor, for a button such as "3 new messages".
 *
 * @param count the number of items, up to 100
 * @param capped whether there are more items than {@code count}
 */
public record FreshCount(int count, boolean capped) {

    static FreshCount parse(String json) {
        Map<String, String> fresh = JsonText.members(json);
        return new FreshCount(
                Integer.parseInt(Page.requiredMember(fresh, "count")),
                Page.requiredMember(fresh, "capped").equals("true"));
    }
}
