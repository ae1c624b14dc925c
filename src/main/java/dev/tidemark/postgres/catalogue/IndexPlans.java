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
import java.util.stream.Stream;

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

    /** Like {@link #BEGIN_PREFERRING_INDEX_SCANS}, but the planner may complete the order of an index by sorting. */
    static final String BEGIN_PREFERRING_PRESORTED_SCANS =
            BEGIN_PREFERRING_INDEX_SCANS.replace("enable_incremental_sort = off", "enable_incremental_sort = on");

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
     * @param presorted if no index does, how many of the first keys one provides
     */
    record Answer(boolean hasIndex, Optional<PlannedSort> sort, int presorted) {

        static Answer of(boolean hasIndex) {
            return new Answer(hasIndex, Optional.empty(), 0);
        }

        private static Answer of(JsonObject plan) {
            List<JsonObject> withoutIndex = withoutIndex(plan).toList();
            return withoutIndex.isEmpty()
                    ? of(true)
                    : new Answer(
                            false, PlannedSort.of(plan), withoutIndex.size() == 1 ? presorted(withoutIndex.get(0)) : 0);
        }

        private static int presorted(JsonObject sort) {
            return sort.getJsonArray("Presorted Key", new JsonArray()).size();
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
     * The nodes that keep the order of the node's rows from coming from an index. Subqueries in expressions, and the
     * inner sides of joins, do not affect this order.
     */
    private static Stream<JsonObject> withoutIndex(JsonObject node) {
        return Stream.concat(
                Stream.of(node).filter(each -> NODES_WITHOUT_INDEX.contains(each.getString("Node Type"))),
                node.getJsonArray("Plans", new JsonArray()).stream()
                        .map(JsonObject.class::cast)
                        .filter(child -> !UNORDERED_CHILDREN.contains(child.getString("Parent Relationship")))
                        .flatMap(IndexPlans::withoutIndex));
    }
}
