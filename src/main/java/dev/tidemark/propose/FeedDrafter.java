package dev.tidemark.propose;

import dev.tidemark.declare.Table.Kind;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.Enumerated;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.LooseEquality;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.naming.ParameterNames;
import dev.tidemark.propose.FeedDraft.DraftOrder;
import dev.tidemark.propose.RelationFacts.ColumnFacts;
import dev.tidemark.propose.UpdateTrigger.Effect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Chooses the properties of a feed over one table or view. */
final class FeedDrafter {

    /** A column with at most this many values is a filter for equality. */
    private static final int FEW_VALUES = 50;

    /** A value must also have this many rows on average, because every column of a small table has few values. */
    private static final int ROWS_PER_VALUE = 10;

    /** A time column with a lower score reflects the order of insertion less reliably than an identity column. */
    private static final int TELLING = 10;

    private static final Set<Scalar> TIMES = EnumSet.of(Scalar.TIMESTAMPTZ, Scalar.TIMESTAMP, Scalar.DATE);

    private static final Set<Scalar> RANGES = EnumSet.of(
            Scalar.TIMESTAMPTZ,
            Scalar.TIMESTAMP,
            Scalar.DATE,
            Scalar.TIME,
            Scalar.SMALLINT,
            Scalar.INTEGER,
            Scalar.BIGINT,
            Scalar.NUMERIC,
            Scalar.REAL,
            Scalar.DOUBLE);

    private final RelationFacts relation;
    private final List<String> key;
    private final List<TableColumn> usable;
    private final Map<String, String> leftOut = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /** @param key empty if no columns identify a row */
    FeedDrafter(RelationFacts relation, List<String> key) {
        this.relation = relation;
        this.key = key;
        if (key.isEmpty()) {
            notes.add("Nothing is known to identify a row, so only GET /v3 serves the feed, by offset.");
            notes.add("To page by cursor, declare the columns that identify a row as key, and remove the next line.");
        } else if (relation.table().kind().isKeyTrusted()) {
            notes.add("The key identified every row when this was written; from then on, Tidemark trusts it.");
        }
        this.usable = relation.table().columns().stream().filter(this::isUsable).toList();
    }

    /** Records why a column is left out, if it is. */
    private boolean isUsable(TableColumn column) {
        String name = column.column().name();
        Optional<String> reason = Optional.empty();
        if (!facts(column).readable()) {
            reason = Optional.of("the role may not read it");
        } else if (ColumnNames.suggestsSecret(name)) {
            reason = Optional.of("looks secret");
        } else if (column.column().type() == Scalar.BYTEA
                || column.column().sqlType().equals("tsvector")) {
            reason = Optional.of(column.column().sqlType());
        } else if (!name.equals(name.strip())) {
            reason = Optional.of("blanks around its name");
        }
        reason.ifPresent(why -> leftOut.put(name, why));
        return reason.isEmpty();
    }

    private ColumnFacts facts(TableColumn column) {
        return relation.column(column.column().name());
    }

    /** @return empty if no column can be shown, or the rows cannot be sorted */
    Optional<FeedDraft> draft(String name) {
        List<DraftOrder> orders = orders();
        Optional<TableColumn> deletion = deletion();
        deletion.ifPresent(column -> leftOut.put(column.column().name(), "see visible"));
        List<String> columns = usable.stream()
                .filter(column -> deletion.filter(column::equals).isEmpty())
                .map(column -> column.column().name())
                .toList();
        if (orders.isEmpty() || columns.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new FeedDraft(
                name,
                relation,
                key,
                columns,
                leftOut,
                orders,
                filters(deletion),
                text(),
                deletion.map(FeedDrafter::isNotDeleted),
                scope(),
                notes));
    }

    private static boolean isSortable(TableColumn column) {
        return column.column().type().isComparable() && column.deterministic();
    }

    private boolean isKey(TableColumn column) {
        return key.equals(List.of(column.column().name()));
    }

    private List<DraftOrder> orders() {
        List<DraftOrder> orders = new ArrayList<>();
        Optional<TableColumn> time = usable.stream()
                .filter(column -> column.column().type() instanceof Scalar type && TIMES.contains(type))
                .max(Comparator.comparingInt(this::score))
                .filter(column -> score(column) >= 0);
        Optional<TableColumn> identity = usable.stream()
                .filter(column -> isKey(column) && facts(column).generated())
                .findFirst();
        Optional<TableColumn> newest = time.filter(column -> identity.isEmpty() || score(column) >= TELLING)
                .or(() -> identity);
        if (newest.isPresent()) {
            String column = OrderTerms.column(newest.get().column().name());
            // Each order is the exact reverse of the other, so that one index serves both.
            boolean nullable = newest.get().column().nullable() && !isKey(newest.get());
            orders.add(new DraftOrder(FeedDraft.NEWEST, column + (nullable ? " desc nulls last" : " desc")));
            orders.add(new DraftOrder(FeedDraft.OLDEST, column + (nullable ? " nulls first" : "")));
        } else if (!key.isEmpty()) {
            orders.add(new DraftOrder("by-key", OrderTerms.columns(key)));
        } else {
            usable.stream()
                    .filter(FeedDrafter::isSortable)
                    .findFirst()
                    .ifPresent(column -> orders.add(new DraftOrder(
                            "by-first-column", OrderTerms.column(column.column().name()))));
        }
        if (!orders.isEmpty()) {
            usable.stream()
                    .filter(column -> TIMES.contains(column.column().type())
                            && ColumnNames.suggestsEdit(column.column().name()))
                    .findFirst()
                    .map(this::editedOrder)
                    .ifPresent(orders::add);
        }
        return orders;
    }

    /** How reliably a time column reflects when a row was inserted; negative if it does not. */
    private int score(TableColumn column) {
        int name = ColumnNames.creationScore(
                column.column().name(), relation.table().name());
        if (name < 0) {
            return -1;
        }
        return name
                + (facts(column).defaultsToNow() ? 15 : 0)
                + (column.column().nullable() ? 0 : 8)
                + (facts(column).indexed() ? 4 : 0)
                + (column.column().type() == Scalar.DATE ? 0 : 1);
    }

    private DraftOrder editedOrder(TableColumn column) {
        String name = column.column().name();
        String terms = OrderTerms.column(name) + (column.column().nullable() ? " desc nulls last" : " desc");
        Optional<String> reason = Optional.empty();
        if (column.column().type() == Scalar.DATE) {
            reason = Optional.of("a live order needs a timestamp, and " + name + " is a date");
        } else if (key.isEmpty()) {
            reason = Optional.of("a live order needs a key");
        } else if (!hasTriggers()) {
            reason = Optional.of("Tidemark cannot see whether every edit sets " + name + " to the current time");
        } else if (effectOn(name) == Effect.NONE) {
            reason = Optional.of("no trigger sets " + name + " to the current time on update");
        } else if (effectOn(name) == Effect.SOMETIMES) {
            reason = Optional.of("its trigger may not set " + name + " on every update");
        }
        return new DraftOrder("edited", terms, reason.isEmpty(), reason);
    }

    private boolean hasTriggers() {
        return relation.table().kind() == Kind.TABLE || relation.table().kind() == Kind.PARTITIONED_TABLE;
    }

    private Effect effectOn(String column) {
        return relation.triggers().stream()
                .map(trigger -> trigger.effectOn(column))
                .max(Comparator.naturalOrder())
                .orElse(Effect.NONE);
    }

    private Optional<TableColumn> deletion() {
        return usable.stream()
                .filter(column -> ColumnNames.suggestsDeletion(column.column().name()))
                .filter(column -> column.column().type() == Scalar.BOOLEAN
                        || column.column().type() instanceof Scalar type
                                && TIMES.contains(type)
                                && column.column().nullable())
                .findFirst();
    }

    private static String isNotDeleted(TableColumn column) {
        if (column.column().type() == Scalar.BOOLEAN) {
            return column.column().nullable() ? column.sqlName() + " is not true" : "not " + column.sqlName();
        }
        return column.sqlName() + " is null";
    }

    private Map<String, String> filters(Optional<TableColumn> deletion) {
        Map<String, String> filters = new LinkedHashMap<>();
        for (TableColumn column : usable) {
            String name = column.column().name();
            boolean isTime = TIMES.contains(column.column().type());
            if (isKey(column) && !isTime
                    || !isSortable(column)
                    || deletion.filter(column::equals).isPresent()) {
                continue;
            }
            boolean refers = facts(column).references() || ColumnNames.suggestsIdentifier(name);
            boolean equals = hasFewValues(column) || refers;
            boolean range = column.column().type() instanceof Scalar type
                    && RANGES.contains(type)
                    && !refers
                    && (isTime || !key.contains(name));
            if (!equals && !range) {
                continue;
            }
            if (ParameterNames.RESERVED.contains(name) || name.contains(".")) {
                notes.add("No filter on " + name + ": "
                        + (name.contains(".")
                                ? "its name has a dot"
                                : "it is the name of a parameter. A view can give it another name"));
            } else {
                filters.put(name, equals && range ? "[equals, range]" : equals ? "equals" : "range");
            }
        }
        return filters;
    }

    private boolean hasFewValues(TableColumn column) {
        ColumnType type = column.column().type();
        if (type == Scalar.BOOLEAN || type instanceof Enumerated) {
            return true;
        }
        boolean isTime = TIMES.contains(type);
        boolean rounds = type == Scalar.REAL || type == Scalar.DOUBLE;
        return !isTime
                && !rounds
                && facts(column).distinctValues().orElse(Double.MAX_VALUE)
                        <= Math.min(FEW_VALUES, relation.rows() / ROWS_PER_VALUE);
    }

    private List<String> text() {
        return usable.stream()
                .filter(column -> column.column().type() == Scalar.TEXT
                        && column.deterministic()
                        && !isKey(column)
                        && !facts(column).references()
                        && !ColumnNames.suggestsIdentifier(column.column().name())
                        && !hasFewValues(column))
                .map(column -> column.column().name())
                .filter(name -> !ParameterNames.RESERVED.contains(name) && !name.contains("."))
                .toList();
    }

    private List<String> scope() {
        return usable.stream()
                .filter(column -> ColumnNames.suggestsTenant(column.column().name()))
                .filter(column -> !isKey(column) && isSortable(column) && !isLoose(column.column()))
                .map(column -> column.column().name())
                .toList();
    }

    private static boolean isLoose(Column column) {
        return LooseEquality.differentInputsCanBeEqual(column);
    }
}
