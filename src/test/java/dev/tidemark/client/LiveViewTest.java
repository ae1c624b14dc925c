package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is shown of a window. A window is written as its keys; of what is shown, a key in lower case is present, one behind
 * a minus sign is deleted, and one behind a circumflex has moved up.
 */
class LiveViewTest {

    private LiveView<String> view = new LiveView<>(LivePolicy.inside(), false);

    private static Window<String> window(String keys) {
        return Window.of(keys.chars().mapToObj(Character::toString).toList(), List::of);
    }

    private void begin(String keys) {
        view.showAll(window(keys));
    }

    private void beginWithMarks(String keys) {
        view = new LiveView<>(LivePolicy.inside(), true);
        begin(keys);
    }

    private String update(String keys) {
        return update(keys, false);
    }

    private String update(String keys, boolean isFull) {
        view.update(window(keys), isFull);
        return shown();
    }

    private String shown() {
        return view.items().stream()
                        .map(item -> switch (item.mark()) {
                            case PRESENT -> item.value();
                            case DELETED -> "-" + item.value();
                            case MOVED_UP -> "^" + item.value();
                        })
                        .collect(Collectors.joining())
                + " " + view.waitingCount();
    }

    @Test
    void onlyItemsAboveTheFirstShownWait() {
        begin("bdf");
        assertThat(update("abcdefg")).isEqualTo("bcdefg 1");
        assertThat(update("xabcdefg")).isEqualTo("bcdefg 2");
        assertThat(update("abdefg")).isEqualTo("bdefg 1");
        assertThat(update("bdefg")).isEqualTo("bdefg 0");
    }

    @Test
    void anItemThatWaitsAndMovesDownIsShown() {
        begin("cd");
        update("abcd");
        assertThat(update("bcad")).isEqualTo("cad 1");
    }

    @Test
    void anItemThatMovesAboveTheFirstWaits() {
        begin("abcd");
        assertThat(update("cabd")).isEqualTo("abd 1");
        begin("abcd");
        assertThat(update("bcda")).as("the first item moves down").isEqualTo("bcda 0");
        begin("abcd");
        assertThat(update("acbd")).as("a move inside").isEqualTo("acbd 0");
    }

    @Test
    void everythingIsShownIfNothingElseIs() {
        begin("");
        assertThat(update("ab")).isEqualTo("ab 0");
        assertThat(update("cd")).isEqualTo("cd 0");
        begin("c");
        update("abc");
        assertThat(update("ab")).isEqualTo("ab 0");
    }

    @Test
    void thePolicySeesAllItemsThatWait() {
        view = new LiveView<>(waiting -> waiting.equals(List.of("a", "b")), false);
        begin("c");
        assertThat(update("bc")).isEqualTo("c 1");
        assertThat(update("abc")).isEqualTo("abc 0");
    }

    @Test
    void markedItemsKeepTheirPlace() {
        beginWithMarks("abcdef");
        assertThat(update("acf")).isEqualTo("a-bc-d-ef 0");
        assertThat(update("f")).isEqualTo("-a-b-c-d-ef 0");
        assertThat(update("fg")).isEqualTo("-a-b-c-d-efg 0");
        assertThat(update("dfg")).as("an item comes back").isEqualTo("-a-b-c^d-efg 1");
        assertThat(update("fdg")).isEqualTo("-a-b-c-efdg 0");
        view.showAll(window("fdg"));
        assertThat(shown()).isEqualTo("fdg 0");
    }

    @Test
    void newItemsWaitWhileOnlyMarkedItemsAreShown() {
        beginWithMarks("a");
        assertThat(update("b")).isEqualTo("-a 1");
        beginWithMarks("");
        assertThat(update("b")).isEqualTo("b 0");
    }

    @Test
    void anItemThatMovesUpIsMarked() {
        beginWithMarks("abcd");
        assertThat(update("cabd")).isEqualTo("ab^cd 1");
        assertThat(update("abd")).as("and is deleted there").isEqualTo("ab-cd 0");
    }

    @Test
    void itemsThatAFullWindowPushesOutAreNotMarked() {
        beginWithMarks("abcd");
        assertThat(update("xyac", true)).isEqualTo("a-bc 2");
        assertThat(update("wxya", true)).isEqualTo("a-b 3");
    }

    @Test
    void loadedItemsAreShownAndItemsThatWaitStillDo() {
        begin("cd");
        update("abcd");
        view.grow(window("abcdef"), false);
        assertThat(shown()).isEqualTo("cdef 2");
        view.grow(window("bcdefgh"), false);
        assertThat(shown()).as("the first one was let go").isEqualTo("cdefgh 1");
        view.grow(window("xybcdefgh"), true);
        assertThat(shown()).isEqualTo("xybcdefgh 0");
    }

    @Test
    void itemsThatAreLetGoAreNotMarked() {
        beginWithMarks("abcdef");
        update("acdef");
        view.grow(window("defgh"), false);
        assertThat(shown()).isEqualTo("-bdefgh 0");
    }

    @Test
    void anUnchangedWindowChangesNothing() {
        begin("abc");
        assertThat(Stream.of("abc", "abc").map(this::update)).containsOnly("abc 0");
    }
}
