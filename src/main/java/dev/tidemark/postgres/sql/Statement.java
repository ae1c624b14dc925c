package dev.tidemark.postgres.sql;

import dev.tidemark.feed.Feed;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The SQL of a statement, and its kind. The text that is sent ends with a comment until the roles have been read, and
 * once they have changed ({@code StatementTexts}). Behind a pooler, it stands in another statement
 * ({@code SessionGuard}).
 *
 * @param parameterCount the number of parameters. It cannot be read from the SQL, which contains declared conditions
 * @param tables the tables and views that the statement reads
 * @param feed the name of the feed that the statement reads; empty if it reads none
 */
public record Statement(String sql, int parameterCount, Kind kind, List<String> tables, Optional<String> feed) {

    /** A statement that reads no feed, and has no parameters. */
    public Statement(String sql, Kind kind, List<String> tables) {
        this(sql, 0, kind, tables, Optional.empty());
    }

    public Statement {
        tables = List.copyOf(tables);
    }

    /** The tables of a statement that returns items of a feed. */
    public static List<String> itemTables(Feed feed) {
        return Stream.concat(
                        listTables(feed).stream(),
                        feed.embeds().stream().map(embed -> Sql.relation(embed.schema(), embed.table())))
                .distinct()
                .toList();
    }

    /** The tables of a statement that finds or counts items of a feed. */
    static List<String> listTables(Feed feed) {
        return Stream.concat(
                        Stream.of(Sql.relation(feed.relation())),
                        feed.access().memberships().map(member -> Sql.relation(member.schema(), member.table())))
                .distinct()
                .toList();
    }

    /** Determines how a statement is planned, and over which connections it runs. */
    public enum Kind {
        /** An index serves the list. The statement is planned once, for any values, to use this index. */
        INDEXED,
        /**
         * An index serves the list, and a page looks at up to thousands of its rows for those that a search is for.
         * The statement is planned as {@link #INDEXED}, but no page of another list waits for it.
         */
        INDEXED_SEARCH,
        /**
         * An index serves the list, whose rows are in one shard of a Citus table. The statement is planned for its
         * values, because they determine the shard.
         */
        ONE_SHARD,
        /**
         * An index serves the list in each of several shards, or in one for a search. The statement is planned for its
         * values, and runs over the same connections as {@link #FREE}.
         */
        SEVERAL_SHARDS,
        /**
         * An index on text finds the rows of a search, which PostgreSQL then sorts. The statement is planned for its
         * values, and has little time, because PostgreSQL can be wrong about how many rows it has to read.
         */
        TEXT_INDEXED,
        /**
         * No index is known to serve the list, the statement needs no order, or it reads a page by offset. The
         * statement is planned for its values, and the planner is free to sort.
         */
        FREE
    }

    /** Whether the statement is planned once, for any values. */
    public boolean isPlannedOnce() {
        return kind == Kind.INDEXED || kind == Kind.INDEXED_SEARCH;
    }

    /** Whether an index provides the order of the rows. */
    public boolean hasServingIndex() {
        return kind != Kind.FREE && kind != Kind.TEXT_INDEXED;
    }
}
