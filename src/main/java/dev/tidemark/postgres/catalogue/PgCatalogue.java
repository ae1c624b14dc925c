package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.Table;
import dev.tidemark.feed.Feed;
import dev.tidemark.postgres.Database;
import dev.tidemark.postgres.startup.DatabaseStartup;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads {@code pg_catalog} with the role that reads the feeds. */
@Singleton
public class PgCatalogue implements Catalogue {

    /** Temporary tables are left out, because other sessions cannot see them. */
    private static final String READABLE_RELATIONS = """
            SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) AS sqlname
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relpersistence <> 't'
              AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
              AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
              AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d
                              WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            ORDER BY n.nspname, c.relname""";

    private final Pool pool;
    private final DerivedColumns derivedColumns;
    private final Database database;

    public PgCatalogue(Pool pool, Database database) {
        this.pool = pool;
        this.derivedColumns = new DerivedColumns(pool);
        this.database = database;
    }

    @Override
    public String describeDatabase() {
        return database.describeDatabase();
    }

    @Override
    public boolean mayFallAsleep() {
        return database.mayFallAsleep();
    }

    @Override
    public Uni<Void> awaitConnection(Duration timeout) {
        return DatabaseStartup.await(pool, database::attemptHandshake, database::attemptSession, timeout);
    }

    @Override
    public Uni<List<Optional<Table>>> findTables(List<String> names) {
        return TableReader.find(pool, names);
    }

    @Override
    public Uni<List<String>> findVersions(List<Table> tables) {
        return TableReader.findVersions(pool, tables);
    }

    @Override
    public Uni<List<Optional<String>>> checkNames(List<String> names) {
        return TableReader.nameFaults(pool, names);
    }

    @Override
    public Uni<List<String>> findReadableRelations() {
        return pool.query(READABLE_RELATIONS)
                .execute()
                .map(rows -> rows.stream().map(row -> row.getString("sqlname")).toList());
    }

    @Override
    public Uni<List<Derivation>> derive(List<TableExpression> expressions) {
        return derivedColumns.derive(expressions);
    }

    @Override
    public Uni<List<Optional<ConditionFault>>> checkConditions(List<TableCondition> conditions) {
        return ConditionCheck.faults(pool, conditions);
    }

    @Override
    public Uni<List<Optional<String>>> checkStatements(List<Feed> feeds) {
        return StatementCheck.faults(pool, feeds);
    }

    @Override
    public Uni<List<IndexReport>> inspectIndexes(List<FeedOverTable> feeds) {
        return IndexInspection.inspect(pool, feeds);
    }

    @Override
    public Uni<List<List<String>>> findMissingTriggers(List<Table> tables) {
        return Multi.createFrom()
                .iterable(tables)
                .onItem()
                .transformToUniAndConcatenate(table -> NotifyTrigger.inspect(pool, table.schema(), table.name()))
                .map(trigger -> trigger.isMissing()
                        ? List.of(trigger.createFunctionSql(), trigger.createTriggerSql())
                        : List.<String>of())
                .collect()
                .asList();
    }

    @Override
    public Uni<List<List<String>>> findLargeMemberships(List<Feed> feeds) {
        return Multi.createFrom()
                .iterable(feeds)
                .onItem()
                .transformToUniAndConcatenate(feed -> MembershipSizes.warnings(pool, feed))
                .collect()
                .asList();
    }

    @Override
    public Uni<List<KeyData>> inspectKeys(List<TableColumnNames> columns) {
        return KeyInspection.inspect(pool, columns);
    }

    @Override
    public Uni<List<List<String>>> findUpdatedEmbeds(List<Feed> feeds) {
        return Multi.createFrom()
                .iterable(feeds)
                .onItem()
                .transformToUniAndConcatenate(feed -> EmbedUpdates.warnings(pool, feed))
                .collect()
                .asList();
    }

    @Override
    public Uni<KeyFinding> verifyKey(Feed feed, Duration timeout) {
        return KeyVerification.verify(pool, feed, timeout);
    }

    @Override
    public Uni<List<ExcessPrivileges>> findExcessPrivileges(List<Feed> feeds) {
        return new PrivilegeCheck(pool).findExcess(feeds);
    }

    @Override
    public Uni<List<PagePlan>> explainPages(Feed feed) {
        return new PageExplainer(database).explain(feed);
    }
}
