package dev.tidemark.propose;

import dev.tidemark.propose.RelationFacts.NumberFacts;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes the relations of a database in more detail than the {@link dev.tidemark.declare.Catalogue}, so that feeds
 * can be proposed.
 */
public interface Inventory {

    /**
     * @param relations the SQL names of tables and views
     * @param role the name of the role that will read the feeds; the role need not exist
     * @return the facts of each relation, in the same order; an empty element for a name that no relation has
     */
    Uni<List<Optional<RelationFacts>>> describe(List<String> relations, String role);

    /**
     * Whether the columns are never NULL and identify each row at present; false if there are no rows, or the check
     * fails or takes too long.
     */
    Uni<Boolean> isKeyAtPresent(RelationFacts relation, List<String> columns);

    /**
     * Describes the whole numbers in some rows of a relation.
     *
     * @return by column; empty if the rows cannot be read
     */
    Uni<Map<String, NumberFacts>> numbers(RelationFacts relation, List<String> columns);

    /** @param role the name of the role that will read the feeds */
    Uni<DatabaseFacts> database(String role);

    /**
     * @param name the SQL name of the database
     * @param role the SQL name of the role that will read the feeds
     * @param hasRole whether that role exists
     */
    record DatabaseFacts(String name, String role, boolean hasRole) {}
}
