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
    public record Scope(Column column, String claim) {}

    public Access {
        roles = Set.copyOf(roles);
        scope = List.copyOf(scope);
    }

    public boolean isPublic() {
        return roles.isEmpty() && scope.isEmpty();
    }
}
