package dev.tidemark.propose;

import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;

/** Describes the relations of a database, beyond what a declaration needs. */
public interface Inventory {

    /** @return an element for each SQL name, in the same order; empty if there is no such table or view */
    Uni<List<Optional<RelationFacts>>> describe(List<String> relations);

    /** Whether the columns are never NULL and identify each row at present; false if the check takes too long. */
    Uni<Boolean> identifies(RelationFacts relation, List<String> columns);

    Uni<DatabaseFacts> database();

    /**
     * @param name the SQL name of the database
     * @param hasRole whether there is a role {@code tidemark}
     */
    record DatabaseFacts(String name, boolean hasRole) {}
}
