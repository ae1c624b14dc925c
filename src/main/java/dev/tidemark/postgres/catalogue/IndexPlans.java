package dev.tidemark.postgres.catalogue;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.OrderKey;
import dev.tidemark.postgres.sql.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks PostgreSQL's planner whether an index provides an order. If the plan sorts although sorting is disabled, or
 * scans a foreign table, the answer is no. The answer therefore takes into account directions, NULL placement,
 * collations, partial indexes implied by the {@code visible} condition, partitions, and the tables under a view.
 */
final class IndexPlans {

    /**
     * Must be run before {@link #find}, on the same connection. Begins a transaction, which the caller rolls back,
     * and makes the planner avoid sorting, sequential scans, and bitmap scans.
     */
    static final String BEGIN_PREFERRING_INDEX_SCANS = """
            BEGIN READ ONLY; SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off;
            SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;""";

    /**
     * The types of plan nodes whose order does not come from an index of this server. The indexes of a foreign server
     * are unknown.
     */
    private static final Set<String> NODES_WITHOUT_INDEX = Set.of("Sort", "Incremental Sort", "Foreign Scan");

    /** The relationships of child nodes whose order does not affect the order of the result. */
    private static final Set<String> UNORDERED_CHILDREN = Set.of("InitPlan", "SubPlan", "Inner");

    private IndexPlans() {}

    /**
     * Whether an index provides an order.
     *
     * @param sort if no index does, the sort that an index would replace, if known
     */
    record Answer(boolean hasIndex, Optional<PlannedSort> sort) {

        static Answer of(boolean hasIndex) {
            return new Answer(hasIndex, Optional.empty());
        }

        private static Answer of(JsonObject plan) {
            return isWithoutIndex(plan) ? new Answer(false, PlannedSort.of(plan)) : of(true);
        }
    }

    static Uni<Answer> find(SqlConnection connection, Feed feed, List<OrderKey> keys) {
        String explain = "EXPLAIN (FORMAT JSON, VERBOSE, COSTS OFF) SELECT 1 FROM " + Sql.relation(feed.relation())
                + feed.relation()
                        .visible()
                        .map(visible -> " WHERE " + Sql.inParentheses(visible))
                        .orElse("")
                + Sql.orderBy(feed.relation().name(), keys);
        return connection
                .query(explain)
                .execute()
                .map(plan -> Answer.of(((JsonArray) plan.iterator().next().getJson(0))
                        .getJsonObject(0)
                        .getJsonObject("Plan")));
    }

    /**
     * Whether the order of the node's rows does not come from an index. Subqueries in expressions, and the inner sides
     * of joins, do not affect this order.
     */
    private static boolean isWithoutIndex(JsonObject node) {
        return NODES_WITHOUT_INDEX.contains(node.getString("Node Type"))
                || node.getJsonArray("Plans", new JsonArray()).stream()
                        .map(JsonObject.class::cast)
                        .filter(child -> !UNORDERED_CHILDREN.contains(child.getString("Parent Relationship")))
                        .anyMatch(IndexPlans::isWithoutIndex);
    }
}
