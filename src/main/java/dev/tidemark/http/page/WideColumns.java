package dev.tidemark.http.page;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The columns of a feed whose values PostgreSQL can store outside the row. It fetches and decompresses such a value
 * only if the statement returns it, so requests without the column have a statement of their own.
 */
public final class WideColumns {

    private static final Set<Scalar> WIDE_TYPES = Set.of(Scalar.TEXT, Scalar.JSON, Scalar.BYTEA, Scalar.OTHER);

    /**
     * The maximum number of sets of omitted columns, each with statements of its own. Apps have a few; a client that
     * tries out more must not fill PostgreSQL's memory with prepared statements.
     */
    private static final int MAX_SETS = 16;

    private final Set<String> names;
    private final Set<Set<String>> omittedSets = ConcurrentHashMap.newKeySet();

    private WideColumns(Set<String> names) {
        this.names = Set.copyOf(names);
    }

    public static WideColumns of(Feed feed) {
        Set<String> names = new HashSet<>();
        feed.columns().stream().filter(WideColumns::isWide).map(Column::name).forEach(names::add);
        feed.embeds().stream()
                .filter(embed -> embed.columns().stream().anyMatch(WideColumns::isWide))
                .map(Embed::name)
                .forEach(names::add);
        return new WideColumns(names);
    }

    private static boolean isWide(Column column) {
        return column.type() instanceof ArrayType
                || column.type() instanceof Scalar scalar && WIDE_TYPES.contains(scalar);
    }

    /**
     * Returns the names of wide columns, and of embeds with such columns, that a request does not return, and that its
     * statement omits.
     *
     * @param fields empty if the request returns all columns
     */
    Set<String> omitted(Optional<Set<String>> fields) {
        if (fields.isEmpty() || names.isEmpty()) {
            return Set.of();
        }
        Set<String> omitted = new HashSet<>(names);
        omitted.removeAll(fields.get());
        return omitted.isEmpty() || omittedSets.contains(omitted) || add(omitted) ? omitted : Set.of();
    }

    private synchronized boolean add(Set<String> omitted) {
        return omittedSets.contains(omitted) || omittedSets.size() < MAX_SETS && omittedSets.add(omitted);
    }
}
