package dev.tidemark.propose;

import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.Filter;
import dev.tidemark.propose.FeedDraft.DraftEmbed;
import dev.tidemark.propose.FeedDraft.DraftOrder;
import dev.tidemark.propose.FeedDraft.DraftScope;
import dev.tidemark.propose.RelationFacts.ViewTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes one proposed feed as YAML with comments. */
final class FeedYaml {

    private static final int MAX_LINE_LENGTH = 120;

    private static final String FEED_INDENT = "      ";
    private static final String MAP_INDENT = "        ";

    private final FeedDraft draft;
    private final StringJoiner lines = new StringJoiner("\n", "", "\n");

    private FeedYaml(FeedDraft draft) {
        this.draft = draft;
    }

    static String write(FeedDraft draft) {
        return new FeedYaml(draft).write();
    }

    /**
     * Writes the feed as a comment. Without the first {@code # } of each line, the comment is YAML.
     *
     * @param content what the rows seem to hold
     */
    static String writeAsComment(FeedDraft draft, String content) {
        List<String> lines = write(draft).lines().toList();
        return lines.stream()
                .skip(1)
                .map(line -> "    # " + line.substring(4))
                .collect(Collectors.joining(
                        "\n",
                        lines.get(0) + "\n    "
                                + YamlText.comment("Commented out, because it seems to hold " + content
                                        + ". Declare roles or a scope, or leave columns out, before you serve it.")
                                + "\n",
                        "\n"));
    }

    private String write() {
        lines.add("    " + YamlText.comment(heading(draft.relation())));
        lines.add("    " + draft.name() + ":");
        addProperty("table", YamlText.value(draft.relation().table().sqlName()));
        draft.keyNotes().forEach(note -> lines.add(FEED_INDENT + YamlText.comment(note)));
        if (draft.key().isEmpty()) {
            addProperty("universal", "{strategy: offset}");
        } else {
            addProperty("key", YamlText.list(draft.key()));
        }
        if (!draft.hiddenColumns().isEmpty()) {
            List<String> reasons = new ArrayList<>();
            draft.hiddenColumns().forEach((column, reason) -> reasons.add(column + " (" + reason + ")"));
            lines.add(FEED_INDENT + YamlText.comment("Left out: " + String.join(", ", reasons)));
        }
        addColumns();
        addOrders();
        addFilters();
        addEpochs();
        addEmbeds();
        addNotifyOn();
        draft.visible().ifPresent(visible -> addProperty("visible", YamlText.value(visible.condition())));
        addDelta();
        addScopes();
        return lines.toString();
    }

    /** Writes {@code delta} as a comment, because only clients that keep copies of items use it. */
    private void addDelta() {
        if (draft.canHaveDelta()) {
            lines.add(FEED_INDENT
                    + YamlText.comment(
                            "delta: true   # clients can refresh what they keep; costs about 4 µs for each page"));
        }
    }

    /** Writes the first scope as a line, and what gives access to more rows as comments. */
    private void addScopes() {
        if (draft.scopes().isEmpty()) {
            return;
        }
        DraftScope declared = draft.scopes().get(0);
        lines.add(FEED_INDENT + text(declared));
        Stream.concat(
                        draft.scopes().stream().skip(1).map(FeedYaml::text),
                        Stream.of("public: true   # in place of the scope: everybody sees all rows"))
                .forEach(text ->
                        lines.add(FEED_INDENT + YamlText.comment(text + "; check then reports other missing indexes")));
    }

    private static String text(DraftScope scope) {
        return "scope: {" + YamlText.key(scope.column()) + ": " + scope.value() + "}   # " + scope.explanation();
    }

    static String heading(RelationFacts relation) {
        String kind = relation.table().kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String rows = relation.rows() < 0
                ? ""
                : relation.rows() == 0 ? ", empty" : String.format(Locale.ROOT, ", about %,.0f rows", relation.rows());
        return relation.table().sqlName() + ": " + kind + rows;
    }

    private void addProperty(String name, String value) {
        lines.add(FEED_INDENT + name + ": " + value);
    }

    /** Writes the list of columns, over several lines if it is long. */
    private void addColumns() {
        StringBuilder line = new StringBuilder(FEED_INDENT + "columns: [");
        String separator = "";
        for (String column : draft.columns()) {
            String item = YamlText.value(column);
            if (line.length() + item.length() > MAX_LINE_LENGTH - 3) {
                lines.add(line + ",");
                line = new StringBuilder(MAP_INDENT);
                separator = "";
            }
            line.append(separator).append(item);
            separator = ", ";
        }
        lines.add(line + "]");
    }

    private void addOrders() {
        lines.add(FEED_INDENT + "orders:");
        for (DraftOrder order : draft.orders()) {
            String text = order.name() + ": " + YamlText.value(order.terms());
            lines.add(MAP_INDENT
                    + order.doubt()
                            .map(doubt -> YamlText.comment(text + "   # " + doubt))
                            .orElse(text));
        }
        List<DraftOrder> declared = draft.declaredOrders();
        if (declared.size() > 1) {
            addProperty("default-order", declared.get(0).name());
        }
        List<String> live =
                declared.stream().filter(DraftOrder::live).map(DraftOrder::name).toList();
        if (!live.isEmpty()) {
            addProperty("live-orders", YamlText.list(live));
        }
    }

    private void addFilters() {
        if (!draft.filters().isEmpty()) {
            lines.add(FEED_INDENT + "filters:");
        } else if (!draft.searchableColumns().isEmpty()) {
            lines.add(FEED_INDENT + "# filters:");
        }
        draft.filters()
                .forEach((column, kinds) -> lines.add(MAP_INDENT + YamlText.key(column) + ": " + kindNames(kinds)
                        + distinctValuesComment(column, kinds)));
        String cost = textSearchCost();
        draft.searchableColumns()
                .forEach(column ->
                        lines.add(MAP_INDENT + YamlText.comment(YamlText.key(column) + ": text   # contains " + cost)));
    }

    private void addNotifyOn() {
        List<String> tables =
                draft.relation().viewTables().stream().map(ViewTable::sqlName).toList();
        if (!tables.isEmpty()) {
            addProperty("notify-on", YamlText.list(tables));
        }
    }

    private void addEpochs() {
        List<String> units = new ArrayList<>();
        for (String column : draft.columns()) {
            draft.relation().table().find(column).ifPresent(found -> {
                if (found.column().type() instanceof EpochType epoch) {
                    units.add(YamlText.key(column) + ": " + epoch.unit().name().toLowerCase(Locale.ROOT));
                }
            });
        }
        if (!units.isEmpty()) {
            addProperty("epoch", "{" + String.join(", ", units) + "}");
        }
    }

    private void addEmbeds() {
        if (!draft.embeds().isEmpty()) {
            lines.add(FEED_INDENT + "embed:");
        }
        for (DraftEmbed embed : draft.embeds()) {
            List<String> on = new ArrayList<>();
            embed.reference().on().forEach((column, own) -> on.add(YamlText.key(column) + ": " + YamlText.value(own)));
            String text = YamlText.key(embed.name()) + ": {table: "
                    + YamlText.value(embed.reference().sqlName()) + ", on: {" + String.join(", ", on) + "}, columns: "
                    + YamlText.list(embed.columns()) + "}";
            String comment = embed.reference().isGuaranteed() ? "" : "   # no foreign key; the names suggest it";
            lines.add(MAP_INDENT + (embed.isDeclared() ? text : YamlText.comment(text)) + comment);
        }
    }

    private static String kindNames(Set<Filter.Kind> kinds) {
        List<String> names =
                kinds.stream().map(kind -> kind.name().toLowerCase(Locale.ROOT)).toList();
        return names.size() == 1 ? names.get(0) : YamlText.list(names);
    }

    private String distinctValuesComment(String column, Set<Filter.Kind> kinds) {
        OptionalDouble distinct = draft.relation().column(column).distinctValues();
        return kinds.contains(Filter.Kind.EQUALS) && distinct.isPresent()
                ? String.format(Locale.ROOT, "   # about %,.0f values", distinct.getAsDouble())
                : "";
    }

    private String textSearchCost() {
        return draft.relation().rows() < 0
                ? "may read all rows for a page"
                : String.format(
                        Locale.ROOT,
                        "may read all %,.0f rows for a page",
                        draft.relation().rows());
    }
}
