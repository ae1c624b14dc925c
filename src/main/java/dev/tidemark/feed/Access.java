package dev.tidemark.feed;

import java.util.List;
import java.util.Set;

/**
 * Who may read a feed, and which of its rows. With neither roles nor scope, everybody may read all.
 *
 * @param roles any one of them is enough; empty where none is asked for
 * @param scope each holds for every row that a caller reads
 */
public record Access(Set<String> roles, List<Scope> scope) {

    public static final Access PUBLIC = new Access(Set.of(), List.of());

    /** Rows are the caller's own where {@code column} equals the caller's {@code claim}. */
    public record Scope(Column column, String claim) {

        /** These take different texts or numbers for equal, or cut them before they compare. */
        private static final Set<String> LOOSE = Set.of("citext", "name", "real", "double precision");

        /** Whether two claims that differ may equal one value of the column. Domains are resolved, and schemas off the path. */
        public static boolean isLoose(Column column) {
            return LOOSE.contains(column.sqlType());
        }
    }

    public Access {
        roles = Set.copyOf(roles);
        scope = List.copyOf(scope);
    }

    public boolean isPublic() {
        return roles.isEmpty() && scope.isEmpty();
    }
}
