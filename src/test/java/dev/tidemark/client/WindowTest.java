package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a window applies changes. An item is its key followed by its content. */
class WindowTest {

    private final Window<String> window = Window.of(List.of("a1", "b1", "c1", "d1"), WindowTest::key);

    private static List<String> key(String item) {
        return List.of(item.substring(0, 1));
    }

    private static WindowChange<String> change(String removed, String placed, String items) {
        return WindowChange.parse(
                "{\"removed\":[" + removed + "],\"placed\":[" + placed + "],\"items\":[" + items
                        + "],\"has_more\":false,\"has_prev\":false,\"cursors\":{\"top\":\"t\",\"last\":null}}",
                json -> JsonText.string(json));
    }

    private static List<String> contents(Window<String> window) {
        return window.keys().stream().map(window.items()::get).toList();
    }

    @Test
    void keysAreRemovedThenPlacedOneAfterTheOtherThenReplaced() {
        Window<String> after = window.apply(
                change(
                        "\"a\",\"d\"",
                        "[\"d\",null],[\"e\",\"b\"],[\"f\",\"b\"],[\"g\",\"c\"]",
                        "\"d2\",\"f1\",\"e1\",\"c2\",\"g1\""),
                WindowTest::key);
        assertThat(contents(after)).containsExactly("d2", "b1", "f1", "e1", "c2", "g1");
        assertThat(after.items()).hasSize(6);
        assertThat(contents(window)).as("the window before").containsExactly("a1", "b1", "c1", "d1");
    }

    @Test
    void everythingCanBeRemovedAndPlaced() {
        Window<String> empty = window.apply(change("\"a\",\"b\",\"c\",\"d\"", "", ""), WindowTest::key);
        assertThat(empty.keys()).isEmpty();
        assertThat(contents(empty.apply(change("", "[\"x\",null],[\"y\",\"x\"]", "\"x1\",\"y1\""), WindowTest::key)))
                .containsExactly("x1", "y1");
    }

    @Test
    void keysOfSeveralColumnsAreNumbersOrText() {
        WindowChange<String> change = change("[1,\"x\"],2", "[[3,\"y\"],[1,\"z\"]],[4,null]", "");
        assertThat(change.removed()).containsExactly(List.of("1", "x"), List.of("2"));
        assertThat(change.placed())
                .containsExactly(
                        new WindowChange.Placement(List.of("3", "y"), List.of("1", "z")),
                        new WindowChange.Placement(List.of("4"), null));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "'\"x\"', '', '', removes a key that the window does not have",
                "'\"a\",\"a\"', '', '', removes a key twice",
                "'', '[\"a\",null]', '\"a1\"', places a key that the window has",
                "'\"a\"', '[\"e\",\"a\"]', '\"e1\"', places a key behind one that the window does not have",
                "'', '[\"e\",\"a\"]', '', places a key without its item",
                "'\"a\"', '', '\"a2\"', has an item that the window does not have",
            })
    void aChangeThatDoesNotFitIsRejected(String removed, String placed, String items, String fault) {
        assertThatThrownBy(() -> window.apply(change(removed, placed, items), WindowTest::key))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the server sent a change that " + fault);
    }

    @Test
    void addedItemsThatTheWindowHasStayWhereTheyAre() {
        assertThat(contents(window.append(List.of("b2", "e1", "e2"), WindowTest::key)))
                .containsExactly("a1", "b1", "c1", "d1", "e1");
    }
}
