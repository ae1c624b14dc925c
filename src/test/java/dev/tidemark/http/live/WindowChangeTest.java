package dev.tidemark.http.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.SampleFeeds;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.feed.read.RowValues.Utf8Writer;
import dev.tidemark.http.events.EventClient.Event;
import dev.tidemark.http.json.ItemWriter;
import dev.tidemark.http.json.JsonBytes;
import dev.tidemark.http.json.KeyWriter;
import dev.tidemark.http.json.PageItems;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Page;
import dev.tidemark.paging.Position;
import dev.tidemark.paging.SamplePages;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WindowChangeTest {

    private static final Event FIRST_PAGE = new Event("page", "m", """
            {"items":[],"keys":[],"next_cursor":null,"has_more":false,"prev_cursor":null,"has_prev":false,\
            "cursors":{"top":null,"last":null},"limit":9,"moment":"m"}""");

    /** An item; {@code body} is null for a row that was not written. */
    private record Item(int id, String body) {}

    @Property(tries = 2_000)
    void theChangesLeadFromAnyStateToAnyOther(@ForAll Random random, @ForAll @IntRange(min = 1, max = 12) int size) {
        WindowCopy copy = new WindowCopy("id").apply(FIRST_PAGE, true);
        WindowState state = rows(null, List.of()).state(page(0), Sealers.hash());
        for (int i = 0; i < 5; i++) {
            List<Item> items = randomItems(random, size);
            WindowRows rows = rows(state, items);
            WindowState next = rows.state(page(items.size()), Sealers.hash());
            WindowChange change = WindowChange.between(state, next);
            if (change.isEmpty()) {
                assertThat(keysOf(items)).isEqualTo(copy.keys());
            } else {
                copy.apply(event(change, rows), false);
            }
            assertThat(copy.items())
                    .isEqualTo(items.stream().map(WindowChangeTest::json).toList());
            state = next;
        }
    }

    @Property(tries = 1_000)
    void theFewestKeysMove(@ForAll Random random, @ForAll @IntRange(min = 1, max = 7) int size) {
        List<Item> before = randomItems(random, size);
        List<Item> after = new ArrayList<>(before);
        Collections.shuffle(after, random);
        assertThat(placed(before, after)).hasSize(before.size() - longestCommonSubsequence(before, after));
    }

    @Test
    void anItemThatMovesDoesNotMoveTheOthers() {
        assertThat(placed(items(1, 2, 3, 4, 5), items(5, 1, 2, 3, 4))).containsExactly("[\"5\",null]");
        assertThat(placed(items(1, 2, 3, 4, 5), items(2, 3, 4, 5, 1))).containsExactly("[\"1\",\"5\"]");
        assertThat(placed(items(1, 2, 3, 4, 5), items(1, 4, 2, 3, 5))).containsExactly("[\"4\",\"1\"]");
    }

    @Test
    void ofTwoItemsThatSwapTheOneThatHasChangedMoves() {
        List<Item> before = items(7, 8, 9, 10);
        assertThat(placed(before, List.of(new Item(7, null), new Item(8, null), new Item(10, null), new Item(9, "b"))))
                .containsExactly("[\"9\",\"10\"]");
        assertThat(placed(before, List.of(new Item(7, null), new Item(9, "b"), new Item(8, null), new Item(10, null))))
                .containsExactly("[\"9\",\"7\"]");
        assertThat(placed(before, List.of(new Item(8, "b"), new Item(7, null), new Item(10, null), new Item(9, "b"))))
                .containsExactly("[\"8\",null]", "[\"9\",\"10\"]");
    }

    @Test
    void severalNewItemsFollowEachOther() {
        assertThat(placed(items(1, 2), items(7, 8, 1, 9, 2)))
                .containsExactly("[\"7\",null]", "[\"8\",\"7\"]", "[\"9\",\"1\"]");
    }

    @Test
    void anItemThatWasNotWrittenAndIsNewIsLacking() {
        WindowState before = rows(null, items(1, 2)).state(page(2), Sealers.hash());
        WindowRows rows = rows(before, List.of(new Item(1, null), new Item(2, null), new Item(3, null)));
        WindowChange change = WindowChange.between(before, rows.state(page(3), Sealers.hash()));
        assertThat(change.lacksItems(rows)).isTrue();
        WindowRows complete = rows(before, List.of(new Item(1, null), new Item(2, null), new Item(3, "a")));
        change = WindowChange.between(before, complete.state(page(3), Sealers.hash()));
        assertThat(change.lacksItems(complete)).isFalse();
        assertThat(change.itemCount()).isEqualTo(1);
    }

    @Test
    void onlyAFlagOrAnItemOrAKeyMakesADifference() {
        WindowState before = rows(null, items(1, 2)).state(page(2), Sealers.hash());
        WindowRows same = rows(before, List.of(new Item(1, null), new Item(2, "a")));
        assertThat(isEmpty(before, same, page(2))).isTrue();
        assertThat(isEmpty(before, same, page(2, true, false))).isFalse();
        assertThat(isEmpty(before, same, page(2, false, true))).isFalse();
        assertThat(isEmpty(before, rows(before, items(1)), page(1))).isFalse();
        assertThat(isEmpty(before, rows(before, items(2, 1)), page(2))).isFalse();
        assertThat(isEmpty(before, rows(before, List.of(new Item(1, null), new Item(2, "b"))), page(2)))
                .isFalse();
    }

    private static boolean isEmpty(WindowState before, WindowRows rows, Page page) {
        return WindowChange.between(before, rows.state(page, Sealers.hash())).isEmpty();
    }

    private static List<String> placed(List<Item> before, List<Item> after) {
        WindowState state = rows(null, before).state(page(before.size()), Sealers.hash());
        WindowRows rows = rows(state, after);
        WindowChange change = WindowChange.between(state, rows.state(page(after.size()), Sealers.hash()));
        return RawJson.elements(RawJson.members(event(change, rows).data()).get("placed"));
    }

    private static Event event(WindowChange change, WindowRows rows) {
        byte[] members = JsonBytes.bytesOf(json -> change.write(json.raw('{'), rows));
        String data = new String(members, StandardCharsets.UTF_8)
                + ",\"has_more\":false,\"has_prev\":false,\"cursors\":{\"top\":null,\"last\":null}}";
        return new Event("change", "m", data);
    }

    private static List<Item> randomItems(Random random, int size) {
        List<Item> items = new ArrayList<>();
        for (int id = 1; id <= size; id++) {
            items.add(new Item(id, Integer.toString(random.nextInt(2))));
        }
        Collections.shuffle(items, random);
        return items.subList(0, random.nextInt(4) == 0 ? random.nextInt(size + 1) : size);
    }

    private static List<Item> items(int... ids) {
        List<Item> items = new ArrayList<>();
        for (int id : ids) {
            items.add(new Item(id, "a"));
        }
        return items;
    }

    private static List<String> keysOf(List<Item> items) {
        return items.stream().map(item -> "\"" + item.id() + '"').toList();
    }

    private static int longestCommonSubsequence(List<Item> one, List<Item> other) {
        int[][] lengths = new int[one.size() + 1][other.size() + 1];
        for (int i = 1; i <= one.size(); i++) {
            for (int j = 1; j <= other.size(); j++) {
                lengths[i][j] = one.get(i - 1).equals(other.get(j - 1))
                        ? lengths[i - 1][j - 1] + 1
                        : Math.max(lengths[i - 1][j], lengths[i][j - 1]);
            }
        }
        return lengths[one.size()][other.size()];
    }

    private static Page page(int size) {
        return page(size, false, false);
    }

    private static Page page(int size, boolean hasPrevious, boolean hasNext) {
        Gap gap = Gap.before(Position.of("1"));
        return SamplePages.of(size, gap, gap, hasPrevious, hasNext);
    }

    private static WindowRows rows(WindowState before, List<Item> items) {
        var feed = SampleFeeds.messages();
        WindowRows rows = new WindowRows(
                new PageItems(
                        ItemWriter.of(feed).withColumns(Set.of("id", "subject")),
                        Optional.of(KeyWriter.of(feed)),
                        10_000),
                KeyWriter.of(feed),
                Optional.ofNullable(before));
        for (Item item : items) {
            if (item.body() == null) {
                rows.acceptUnchanged(row(item));
            } else {
                rows.accept(row(item));
            }
        }
        return rows;
    }

    private static String json(Item item) {
        return "{\"id\":\"" + item.id() + "\",\"subject\":\"" + item.body() + "\"}";
    }

    private static RowValues row(Item item) {
        Map<String, Object> values = new HashMap<>();
        values.put("isNull", false);
        values.put("integer", (long) item.id());
        return (RowValues) Proxy.newProxyInstance(
                WindowChangeTest.class.getClassLoader(),
                new Class<?>[] {RowValues.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("writeUtf8")) {
                        byte[] text = item.body().getBytes(StandardCharsets.UTF_8);
                        write(arguments[1], arguments[2], text);
                        return null;
                    }
                    return values.get(method.getName());
                });
    }

    @SuppressWarnings("unchecked")
    private static void write(Object target, Object writer, byte[] text) {
        ((Utf8Writer<Object>) writer).write(target, text, 0, text.length);
    }
}
