package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.SampleFeeds;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WideColumnsTest {

    private static final Column ID = new Column("id", Scalar.BIGINT, "bigint", false);
    private static final Column BODY = new Column("body", Scalar.TEXT, "text", true);
    private static final Column DOC = new Column("doc", Scalar.JSON, "jsonb", true);
    private static final Column TAGS = new Column("tags", new ArrayType(Scalar.INTEGER, 1), "integer[]", true);
    private static final Embed AUTHOR = new Embed(
            "author", "public", "authors", List.of(new Embed.Match(ID, ID, Optional.empty())), List.of(BODY), false);

    private final WideColumns columns =
            WideColumns.of(SampleFeeds.messagesWithDelta(List.of(ID, BODY, DOC, TAGS), AUTHOR));

    @Test
    void aRequestForAllColumnsOmitsNone() {
        assertThat(columns.omitted(Optional.empty())).isEmpty();
    }

    @Test
    void aRequestOmitsTheWideColumnsAndEmbedsThatItDoesNotReturn() {
        assertThat(columns.omitted(Optional.of(Set.of("id", "doc"))))
                .containsExactlyInAnyOrder("body", "tags", "author");
        assertThat(columns.omitted(Optional.of(Set.of("author", "body", "tags"))))
                .containsExactly("doc");
    }

    @Test
    void onlyTheFirstSixteenSetsOfOmittedColumnsHaveStatementsOfTheirOwn() {
        List<Column> five = IntStream.range(0, 5)
                .mapToObj(i -> new Column("text" + i, Scalar.TEXT, "text", true))
                .toList();
        WideColumns wide = WideColumns.of(SampleFeeds.messagesWithDelta(five, AUTHOR));
        for (int set = 0; set < 16; set++) {
            assertThat(wide.omitted(Optional.of(selection(five, set)))).isNotEmpty();
        }
        assertThat(wide.omitted(Optional.of(selection(five, 16)))).isEmpty();
        assertThat(wide.omitted(Optional.of(selection(five, 7)))).isNotEmpty();
    }

    @Test
    void selectionsThatOmitTheSameColumnsAreOne() {
        for (int i = 0; i < 40; i++) {
            assertThat(columns.omitted(Optional.of(Set.of("body", "field" + i))))
                    .containsExactlyInAnyOrder("doc", "tags", "author");
        }
        assertThat(columns.omitted(Optional.of(Set.of("doc")))).containsExactlyInAnyOrder("body", "tags", "author");
    }

    /** Returns the names of the columns whose bits are set. */
    private static Set<String> selection(List<Column> columns, int bits) {
        return IntStream.range(0, columns.size())
                .filter(i -> (bits >> i & 1) == 1)
                .mapToObj(i -> columns.get(i).name())
                .collect(Collectors.toSet());
    }
}
