package dev.tidemark.declare;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ServingIndexes;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Describes the tables and views of feeds, as they are defined in the database. */
public interface Catalogue {

    /**
     * Returns the name and address of the database, and the role, such as
     * {@code shop at db.example.org:5432, role tidemark}.
     */
    String describeDatabase();

    /** Whether nobody uses the database, and no statement may keep it awake. */
    boolean mayFallAsleep();

    /**
     * Waits until the database accepts a connection. Fails after {@code timeout} if the database cannot be reached or
     * is still starting, and immediately if it rejects the connection for another reason. The message of the failure
     * contains the cause.
     */
    Uni<Void> awaitConnection(Duration timeout);

    /**
     * @param names as declared: schema-qualified or on the search path, quoted if SQL requires it
     * @return the table of each name, in the same order; an empty element for a name that no table or view has
     */
    Uni<List<Optional<Table>>> findTables(List<String> names);

    /**
     * Reads what identifies the current definitions of tables and the privileges on them, with one cheap query.
     *
     * @return for each table, in the same order, a text that changes whenever the table is altered, dropped, renamed,
     *     replaced, or granted; empty if there is no table of this name
     */
    Uni<List<String>> findVersions(List<Table> tables);

    /**
     * @param names as in {@link #findTables}
     * @return for each name, in the same order, why the database rejects the name, such as a missing privilege on the
     *     schema; an empty element for a name that the database accepts
     */
    Uni<List<Optional<String>>> checkNames(List<String> names);

    /**
     * Returns the SQL names of all tables, partitioned tables, foreign tables, views, and materialized views that the
     * database role may read, except for temporary tables, partitions, system relations, and relations of extensions.
     */
    Uni<List<String>> findReadableRelations();

    /** @return what the database says about each expression, in the same order */
    Uni<List<Derivation>> derive(List<TableExpression> expressions);

    /**
     * An SQL expression over columns of a table.
     *
     * @param name of the derived column
     */
    record TableExpression(Table table, String name, String sql) {}

    /**
     * A derived column, or why an expression cannot be one.
     *
     * @param fault empty if there is a column
     */
    record Derivation(Optional<Table.TableColumn> column, String fault) {
        public static Derivation of(Table.TableColumn column) {
            return new Derivation(Optional.of(column), "");
        }

        public static Derivation rejected(String fault) {
            return new Derivation(Optional.empty(), fault);
        }
    }

    /**
     * @return for each condition, in the same order, why the database rejects it; an empty element for a valid
     *     condition
     */
    Uni<List<Optional<ConditionFault>>> checkConditions(List<TableCondition> conditions);

    /**
     * Plans statements that together need all privileges that the statements of a feed need.
     *
     * @return for each feed, in the same order, which page or count the database rejects, and why; an empty element if
     *     it accepts all
     */
    Uni<List<Optional<String>>> checkStatements(List<Feed> feeds);

    /**
     * Finds the indexes that serve the lists of each feed: for each order, the list without filters and the lists with
     * one equality filter. And those that serve counts by value of these lists.
     */
    Uni<List<IndexReport>> inspectIndexes(List<FeedOverTable> feeds);

    /**
     * @return for each table, in the same order, the two statements that create the function and the trigger that
     *     notify Tidemark of changes; an empty list if the table has the trigger, or cannot have it
     */
    Uni<List<List<String>>> findMissingTriggers(List<Table> tables);

    /**
     * @return for each feed, in the same order, a warning for each membership of its scope of which one caller can
     *     have so many that its pages are not merged; none where the statistics do not tell
     */
    Uni<List<List<String>>> findLargeMemberships(List<Feed> feeds);

    /**
     * @return for each feed, in the same order, a warning for each embed whose rows are updated so often that
     *     refreshes send most items; none where the statistics do not tell
     */
    Uni<List<List<String>>> findUpdatedEmbeds(List<Feed> feeds);

    /**
     * Checks with a query over all rows whether the key identifies each row of each list of the feed.
     *
     * @param feed a feed with a key
     * @param timeout the statement timeout of the query
     */
    Uni<KeyFinding> verifyKey(Feed feed, Duration timeout);

    /**
     * Finds out with a bounded look at the rows whether columns that are declared to identify a row could be made a
     * key.
     *
     * @return for each list of columns, in the same order
     */
    Uni<List<KeyData>> inspectKeys(List<TableColumnNames> columns);

    /** Finds the feeds on whose relations the database role has more privileges than SELECT. */
    Uni<List<ExcessPrivileges>> findExcessPrivileges(List<Feed> feeds);

    /** Plans, for each order, a page without a filter, and one with each operator of each filter alone. */
    Uni<List<PagePlan>> explainPages(Feed feed);

    /**
     * A statement that reads a page, with its plan.
     *
     * @param list the order, and the filter if there is one
     * @param page such as {@code next page}
     * @param indexed whether an index provides the order
     * @param plan the lines of EXPLAIN for the generic plan, or the reason why there is no plan
     */
    record PagePlan(String list, String page, boolean indexed, String sql, List<String> plan) {}

    /**
     * The result of verifying a key.
     *
     * @param isWrong whether the key is known not to identify the rows
     * @param reason what is wrong, or why that is not known; empty if the key identifies each row
     */
    record KeyFinding(boolean isWrong, String reason) {

        public static final KeyFinding VERIFIED = new KeyFinding(false, "");

        public static KeyFinding wrong(String reason) {
            return new KeyFinding(true, reason);
        }

        public static KeyFinding unknown(String reason) {
            return new KeyFinding(false, reason);
        }
    }

    /**
     * What the rows of a table say about columns that are no key in the catalogue.
     *
     * @param isKey whether the table has rows enough to tell, each has values of its own in these columns, and an
     *     index can have the columns
     * @param isRepeated whether several rows are known to have the same values
     * @param nullColumns those of the columns that are known to have NULLs
     */
    record KeyData(boolean isKey, boolean isRepeated, Set<String> nullColumns) {

        public static final KeyData UNKNOWN = new KeyData(false, false, Set.of());
    }

    /** A declared SQL condition on the rows of a table. */
    record TableCondition(Table table, String sql) {}

    /**
     * Why the database rejects a condition.
     *
     * @param isForPrivilege whether the role may not read what the condition needs
     * @param reason what the database says
     */
    record ConditionFault(boolean isForPrivilege, String reason) {}

    /** The names of columns of a table, as in the catalogue. */
    record TableColumnNames(Table table, List<String> names) {}

    /** A feed with its table or view. */
    record FeedOverTable(Feed feed, Table table) {}

    /**
     * The result of inspecting the indexes of a feed.
     *
     * @param listsAcrossShards the lists whose rows can be in all shards of a Citus table
     */
    record IndexReport(
            ServingIndexes servingIndexes, List<MissingIndex> missingIndexes, List<ListName> listsAcrossShards) {}

    /**
     * Identifies lists of an order: the list without filters, or the lists with an equality filter on one column. Or
     * identifies the counts of the list without filters by the values of a column.
     *
     * @param order the name of the order; empty for counts
     * @param filterColumn the column of the filter; empty for the list without filters
     * @param countsBy the column by whose values items are counted; empty for lists
     */
    record ListName(String order, Optional<String> filterColumn, Optional<String> countsBy) {

        public ListName(String order, Optional<String> filterColumn) {
            this(order, filterColumn, Optional.empty());
        }

        public static ListName ofCounts(String by) {
            return new ListName("", Optional.empty(), Optional.of(by));
        }

        /** Such as {@code order newest with a filter on status}, or {@code counts by status}. */
        public String description() {
            return countsBy.map(column -> "counts by " + column)
                    .orElseGet(() -> "order " + order
                            + filterColumn
                                    .map(column -> " with a filter on " + column)
                                    .orElse(""));
        }
    }

    /**
     * An index that is missing.
     *
     * @param list the lists that no index serves
     * @param explanation what the script creates, or what may help if there is no script; empty if nothing needs an
     *     explanation
     * @param isServedWithDefaultNulls whether an existing index would serve the lists if the order placed NULLs as
     *     PostgreSQL does by default, although its columns have none
     * @param script the lines that create the index in psql; empty if Tidemark does not know a suitable index
     */
    record MissingIndex(ListName list, String explanation, boolean isServedWithDefaultNulls, List<String> script) {

        /** Such as {@code order newest with a filter on status}, with the explanation if there is one. */
        public String description() {
            return list.description() + (explanation.isEmpty() ? "" : ": " + explanation);
        }
    }

    /**
     * The privileges, other than SELECT, that the database role has on the relation of a feed.
     *
     * @param feed the name of the feed
     * @param privileges such as {@code INSERT, UPDATE}; for a superuser only {@code SUPERUSER}, and for an owner only
     *     {@code ownership}
     * @param relation the SQL name of the relation
     */
    record ExcessPrivileges(String feed, String role, String privileges, String relation) {

        public String description() {
            return "role " + role + " has " + privileges + " on " + relation;
        }
    }
}
