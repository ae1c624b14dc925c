package dev.tidemark.feed.read;

import dev.tidemark.feed.ListState;
import dev.tidemark.paging.PageRequest;
import io.smallrye.mutiny.Uni;
import java.util.List;

/** Plans the statements that read a page, without running them. */
public interface FeedExplainer {

    /**
     * @return the statements that can read the page, in the order in which they are tried. The second one, if any, is
     *     used only if the item at the cursor no longer exists or ties with another item
     */
    Uni<List<StatementPlan>> explain(ListState state, PageRequest request);

    /**
     * A statement with its plan.
     *
     * @param name the name of the statement, such as {@code page}
     * @param indexed whether an index provides the order
     * @param plan the lines of EXPLAIN
     */
    record StatementPlan(String name, boolean indexed, String sql, List<String> plan) {}
}
