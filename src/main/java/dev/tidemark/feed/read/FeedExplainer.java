package dev.tidemark.feed.read;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import java.util.List;

/** Shows the statements that read a page, with their plans. */
public interface FeedExplainer {

    /**
     * Plans the statements of a page without running them.
     *
     * @return the statements in the order in which they are tried. If there are two, the second one is used only if no
     *     item, or more than one, is at the cursor's position, or if an index on text could find the rows of a search
     *     but many match
     */
    Uni<List<StatementPlan>> explain(ListState state, PageRequest request);

    /**
     * A statement with its plan.
     *
     * @param name such as {@code page}
     * @param indexed whether an index provides the order
     * @param plan the lines of EXPLAIN, or the reason why the statement cannot be planned
     */
    record StatementPlan(String name, boolean indexed, String sql, List<String> plan) {}
}
