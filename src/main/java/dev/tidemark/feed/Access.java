package dev.tidemark.feed;

import java.util.List;
import java.util.Set;

/**
 * The callers that may read a feed, and the rows they may read. A feed without roles and scope is public.
 *
 * @param roles a caller needs at least one of these roles; empty if no role is required
 * @param scope a caller can read only rows that meet all of these restrictions; empty if callers can read all rows
 */
public record Access(Set<String> roles, List<Scope> scope) {

    public static final Access PUBLIC = new Access(Set.of(), List.of());

    /** Restricts a caller to rows whose {@code column} equals the value of a claim in the caller's token. */
    public record Scope(Column column, String claim) {}

    public Access {
        roles = Set.copyOf(roles);
        scope = List.copyOf(scope);
    }

    public boolean isPublic() {
        return roles.isEmpty() && scope.isEmpty();
    }
}
