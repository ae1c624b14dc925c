package dev.tidemark.feed;

import java.util.List;
import java.util.Set;

/**
 * The callers that may read a feed, and the rows they may read. Without roles and scope the feed is public.
 *
 * @param roles a caller needs at least one of them; empty if no role is required
 * @param scope a caller can read only rows that meet all of these
 */
public record Access(Set<String> roles, List<Scope> scope) {

    public static final Access PUBLIC = new Access(Set.of(), List.of());

    /** Restricts a caller to rows whose {@code column} equals the {@code claim} of the caller's token. */
    public record Scope(Column column, String claim) {}

    public Access {
        roles = Set.copyOf(roles);
        scope = List.copyOf(scope);
    }

    public boolean isPublic() {
        return roles.isEmpty() && scope.isEmpty();
    }
}
