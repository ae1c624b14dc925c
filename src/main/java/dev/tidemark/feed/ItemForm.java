package dev.tidemark.feed;

import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.Feed.Relation;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What determines the items of a feed, apart from the rows: its table, its condition, its key, its columns with their
 * types, whether the text of their values depends on anything else, its embeds, and the conditions of its memberships.
 * If one of these changes, the items that clients keep are no longer those of the feed.
 */
final class ItemForm {

    private ItemForm() {}

    /** Returns the form as text. Different forms have different texts. */
    static String of(
            Relation relation, List<Column> columns, List<Embed> embeds, Access access, TextSources textSources) {
        return Stream.of(
                        Stream.of(
                                table(relation.schema(), relation.name()),
                                "key " + columns(relation.key()),
                                columns(columns),
                                // A cast that is dropped leaves no trace.
                                "unbounded " + textSources.unbounded(),
                                "where " + relation.visible().orElse("")),
                        embeds.stream().map(ItemForm::embed),
                        access.memberships().flatMap(ItemForm::condition))
                .flatMap(Function.identity())
                .collect(Collectors.joining("\n"));
    }

    private static String embed(Embed embed) {
        return embed.on().stream()
                .map(match -> column(match.column()) + " = " + column(match.own()))
                .collect(Collectors.joining(
                        ", ",
                        SqlQuoting.quoteIdentifier(embed.name()) + ' ' + table(embed.schema(), embed.table()) + " on ",
                        " columns " + columns(embed.columns())));
    }

    private static Stream<String> condition(Access.Membership membership) {
        return membership.condition().stream()
                .map(condition -> "member " + column(membership.column()) + " in "
                        + table(membership.schema(), membership.table()) + " if " + condition.sql());
    }

    private static String table(String schema, String name) {
        return SqlQuoting.quoteIdentifier(schema) + '.' + SqlQuoting.quoteIdentifier(name);
    }

    private static String columns(List<Column> columns) {
        return columns.stream().map(ItemForm::column).collect(Collectors.joining(", "));
    }

    private static String column(Column column) {
        String unit = column.type() instanceof EpochType epoch ? " of " + epoch.unit() : "";
        return SqlQuoting.quoteIdentifier(column.definition()) + ' ' + column.clientType() + unit;
    }
}
