package dev.tidemark.postgres.changes;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EnumType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.ListState;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a notification says about a change to a table. Its payload is the table, and may continue with a line break and
 * a JSON object, whose members name columns. The value of each is an array of the texts, or {@code null}, that all
 * changed rows had or have in this column: {@code public.messages\n{"channel_id": ["17"]}}.
 *
 * @param table as {@code NotifyTrigger.payload} returns it
 * @param values by column; empty if nothing but the table is known
 */
record ChangeNotice(String table, Map<String, Set<String>> values) {

    /**
     * The types of {@link Scalar#TEXT} in which equal values have equal texts, if their collation is deterministic.
     */
    private static final Set<String> EXACT_TEXT_TYPES = Set.of("text", "character varying");

    static ChangeNotice ofTable(String table) {
        return new ChangeNotice(table, Map.of());
    }

    /** Returns what a payload says. If its values are malformed, any row may have changed. */
    static ChangeNotice parse(String payload) {
        // JSON escapes line breaks, and the name of a table may contain them.
        int end = payload.lastIndexOf('\n');
        if (end < 0) {
            return ofTable(payload);
        }
        String table = payload.substring(0, end);
        try {
            Map<String, Set<String>> values = new HashMap<>();
            JsonObject columns = new JsonObject(payload.substring(end + 1));
            for (String column : columns.fieldNames()) {
                if (columns.getValue(column) instanceof JsonArray texts
                        && texts.stream().allMatch(text -> text == null || text instanceof String)) {
                    Set<String> distinct = new HashSet<>();
                    texts.forEach(text -> distinct.add((String) text));
                    values.put(column, distinct);
                }
            }
            return new ChangeNotice(table, values);
        } catch (DecodeException e) {
            return ofTable(table);
        }
    }

    /**
     * Whether a list may contain one of the changed rows, or may have contained it before.
     *
     * @param conditions what {@link #conditionsOf} returns for the list
     * @param looseColumns columns in which values with different texts can be equal because of their collation
     */
    boolean mayConcern(List<Condition.AnyOf> conditions, Set<String> looseColumns) {
        for (Condition.AnyOf condition : conditions) {
            String column = condition.column().name();
            Set<String> changed = values.get(column);
            if (changed != null
                    && !looseColumns.contains(column)
                    && condition.values().stream().noneMatch(changed::contains)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the conditions of a list whose values a notice can contain in the same text. */
    static List<Condition.AnyOf> conditionsOf(ListState list) {
        return list.conditions().stream()
                .<Condition>map(condition -> condition instanceof Condition.InScope scope
                        ? new Condition.AnyOf(scope.column(), List.of(scope.value()))
                        : condition)
                .filter(Condition.AnyOf.class::isInstance)
                .map(Condition.AnyOf.class::cast)
                .filter(condition -> hasOneText(condition.column()))
                .toList();
    }

    private static boolean hasOneText(Column column) {
        if (column.isDerived()) {
            // A notice has the values of the table's own columns.
            return false;
        }
        if (column.type() instanceof EnumType) {
            return true;
        }
        return column.type() instanceof Scalar scalar
                && switch (scalar) {
                    case SMALLINT, INTEGER, BIGINT, BOOLEAN, UUID -> true;
                    case TEXT -> EXACT_TEXT_TYPES.contains(column.sqlType());
                    default -> false;
                };
    }
}
