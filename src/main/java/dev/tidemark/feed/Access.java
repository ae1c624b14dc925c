package dev.tidemark.feed;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The callers that may read a feed, and the rows they may read. A feed without roles and scope is public.
 *
 * @param roles a caller needs at least one of these roles; empty if no role is required
 * @param scope a caller can read only rows that meet all of these restrictions; empty if callers can read all rows
 */
public record Access(Set<String> roles, List<Scope> scope) {

    public static final Access PUBLIC = new Access(Set.of(), List.of());

    /** Restricts a caller to some values of a column. */
    public sealed interface Scope {
        Column column();
    }

    /** Restricts a caller to rows whose {@code column} equals the value of a claim in the caller's token. */
    public record ClaimScope(Column column, String claim) implements Scope {}

    /**
     * Restricts a caller to rows whose {@code column} equals {@code member} in some row of another table whose columns
     * equal claims in the caller's token. Each read finds these rows anew.
     *
     * @param schema the schema of the other table, unquoted
     * @param table the name of the other table, unquoted
     * @param member the column of the other table that has the values of {@code column}
     * @param collation the SQL name of the collation of {@code column}; empty if {@code member} has it, too
     * @param where not empty
     * @param condition limits the rows of the other table; empty if all of them are memberships
     */
    public record Membership(
            Column column,
            String schema,
            String table,
            Column member,
            Optional<String> collation,
            List<ClaimScope> where,
            Optional<RowCondition> condition)
            implements Scope {
        public Membership {
            where = List.copyOf(where);
        }
    }

    /**
     * An SQL condition on the rows of a table.
     *
     * @param columns the names of all columns that the condition can depend on
     */
    public record RowCondition(String sql, Set<String> columns) {
        public RowCondition {
            columns = Set.copyOf(columns);
        }
    }

    public Access {
        roles = Set.copyOf(roles);
        scope = List.copyOf(scope);
    }

    /** The parts of the scope that are memberships. */
    public Stream<Membership> memberships() {
        return scope.stream().filter(Membership.class::isInstance).map(Membership.class::cast);
    }

    /** The names of the claims that a caller needs for the scope. */
    public Stream<String> claims() {
        return scope.stream()
                .flatMap(part -> part instanceof Membership membership
                        ? membership.where().stream()
                        : Stream.of((ClaimScope) part))
                .map(ClaimScope::claim);
    }

    public boolean isPublic() {
        return roles.isEmpty() && scope.isEmpty();
    }
}
