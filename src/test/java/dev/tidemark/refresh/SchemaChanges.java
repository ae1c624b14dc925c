package dev.tidemark.refresh;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Changes tables by DDL, so that rows appear, disappear and change without being written. The version of a row never
 * decreases, because a table is brought up to date before it replaces another.
 */
final class SchemaChanges implements Pause.Work {

    private enum Kind {
        TRUNCATE,
        SWAP_TABLE,
        SWAP_PARTITIONED,
        SWAP_SHELVES,
        ATTACH,
        ATTACH_AGAIN,
        DETACH,
        EXCHANGE,
        ADD_COLUMN,
        VACUUM_FREEZE,
        VACUUM_FULL,
        CLUSTER,
        REFRESH_VIEW
    }

    /** Lock timeouts, canceled statements, and deadlocks. */
    private static final Set<String> EXPECTED_SQL_STATES = Set.of("55P03", "57014", "40P01");

    private final Connection connection;
    private final Random random;
    private final Pause pause;
    private final AtomicBoolean stopping;
    private final Map<String, Integer> counts = new TreeMap<>();
    private int changeNumber;

    /** The attached partition, which has a region that {@link RefreshTables} does not have. */
    private Optional<FarPartition> attachedPartition = Optional.empty();

    private Optional<FarPartition> detachedPartition = Optional.empty();

    private record FarPartition(String table, String region) {}

    SchemaChanges(Connection connection, long seed, Pause pause, AtomicBoolean stopping) {
        this.connection = connection;
        this.random = new Random(seed);
        this.pause = pause;
        this.stopping = stopping;
    }

    /** The number of changes of each kind, and under {@code FAILED} the number of failed attempts. */
    Map<String, Integer> counts() {
        return counts;
    }

    @Override
    public void run() throws Exception {
        // VACUUM FREEZE waits for buffers that the last statement of an open transaction has pinned. The lock timeout
        // does not limit this wait, and the transaction may itself be waiting for the end of the VACUUM.
        execute("set lock_timeout = '40ms'; set statement_timeout = '2s'");
        while (!stopping.get()) {
            pause.awaitTransactions(random.nextInt(150));
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            changeNumber++;
            boolean prepared =
                    switch (kind) {
                        case SWAP_TABLE -> prepareSwap("notes", "create table notes_new (like notes including all)");
                        case SWAP_PARTITIONED ->
                            attachedPartition.isEmpty()
                                    && prepareSwap(
                                            "parts",
                                            RefreshTables.createPartsSql("parts_new", "parts_" + changeNumber));
                        case SWAP_SHELVES -> prepareShelves();
                        case ATTACH -> attachedPartition.isEmpty() && prepareFarPartition("far_" + changeNumber, """
                    select '%s', nextval('ids'), timestamptz '2026-01-01' + i * interval '20 s', i, false,
                        nextval('versions'), 'attached' from generate_series(1, 20) i\
                    """);
                        case ATTACH_AGAIN -> attachedPartition.isEmpty() && detachedPartition.isPresent();
                        case DETACH -> attachedPartition.isPresent();
                        case EXCHANGE ->
                            attachedPartition.isPresent()
                                    && prepareFarPartition(
                                            attachedPartition.get().region(),
                                            """
                                        select '%s', id, at, place, hidden, nextval('versions'), body || 'e'
                                        from\
                                        """ + ' ' + attachedPartition.get().table());
                        default -> true;
                    };
            if (prepared) {
                // Waits, so that the rows of the new tables count as old when the tables are put in place.
                pause.awaitTransactions(random.nextInt(20));
                change(kind);
            }
        }
    }

    /**
     * Makes a change. In half of the cases, a first attempt is made while transactions are open. If that attempt
     * fails, or in the other half, this method makes open transactions end soon, and attempts the change until it
     * succeeds.
     */
    private void change(Kind kind) throws Exception {
        String table = random.nextBoolean() ? "notes" : "parts";
        if (random.nextBoolean() && attempt(kind, table)) {
            return;
        }
        pause.runWithoutLongTransactions(() -> {
            while (!attempt(kind, table)) {
                pause.awaitTransactions(5);
            }
        });
    }

    private boolean attempt(Kind kind, String table) throws Exception {
        try {
            pause.runStep(() -> apply(kind, table));
            counts.merge(kind.name(), 1, Integer::sum);
            return true;
        } catch (SQLException failure) {
            if (!EXPECTED_SQL_STATES.contains(failure.getSQLState())) {
                throw failure;
            }
            execute("rollback");
            counts.merge("FAILED", 1, Integer::sum);
            return false;
        }
    }

    private void apply(Kind kind, String table) throws SQLException {
        switch (kind) {
            case TRUNCATE -> truncateAndRefill(table);
            case SWAP_TABLE -> swap("notes", "");
            case SWAP_PARTITIONED -> swap("parts", RefreshTables.createViewSql());
            case SWAP_SHELVES ->
                execute("begin; alter table shelves rename to shelves_old; alter table shelves_new rename to shelves;"
                        + " drop table shelves_old; commit");
            case ATTACH ->
                attachedPartition = Optional.of(attach(new FarPartition("far_" + changeNumber, "far_" + changeNumber)));
            case ATTACH_AGAIN -> {
                FarPartition again = detachedPartition.orElseThrow();
                execute("update " + again.table()
                        + " set version = nextval('versions'), body = 'again' where id % 3 = 0");
                attachedPartition = Optional.of(attach(again));
                detachedPartition = Optional.empty();
            }
            case DETACH -> {
                execute("alter table parts detach partition "
                        + attachedPartition.orElseThrow().table());
                detachedPartition = attachedPartition;
                attachedPartition = Optional.empty();
            }
            case EXCHANGE ->
                exchange(new FarPartition(
                        "far_" + changeNumber, attachedPartition.orElseThrow().region()));
            case ADD_COLUMN ->
                execute("alter table " + table + " drop column extra, add column extra text not null default 'x"
                        + changeNumber + "'");
            // Truncation would wait five seconds for the lock of each partition.
            case VACUUM_FREEZE -> execute("vacuum (freeze, truncate false) " + table);
            case VACUUM_FULL -> execute("vacuum full " + table);
            case CLUSTER ->
                execute("cluster " + table + " using "
                        + text("select relname from pg_index join pg_class on oid = indexrelid where indrelid = '"
                                + table + "'::regclass order by relname limit 1"));
            case REFRESH_VIEW ->
                execute("refresh materialized view " + (random.nextBoolean() ? "concurrently " : "") + "copies");
        }
    }

    private void truncateAndRefill(String table) throws SQLException {
        String leaf = table.equals("notes")
                ? table
                : text("select relid::text from pg_partition_tree('parts') where isleaf order by random() limit 1");
        execute("begin");
        execute("truncate " + leaf);
        execute("insert into " + table + " (region, id, at, place, version, body) select "
                + (table.equals("notes") ? "'none'" : "(array['north', 'south', 'east'])[1 + i % 3]")
                + ", nextval('ids'), timestamptz '2026-01-01' + i * interval '3 s', i % 10, nextval('versions'),"
                + " 'filled' from generate_series(1, " + (table.equals("notes") ? 150 : 50) + ") i");
        execute("commit");
    }

    private boolean prepareSwap(String table, String create) throws Exception {
        pause.runStep(() -> {
            execute("drop table if exists " + table + "_new");
            execute(create);
            execute("insert into " + table + "_new select * from " + table);
            execute("update " + table + "_new set version = nextval('versions'), body = body || 's' where id % 5 = "
                    + random.nextInt(5));
        });
        return true;
    }

    private boolean prepareShelves() throws Exception {
        pause.runStep(
                () -> execute("drop table if exists shelves_new; create table shelves_new (like shelves including all);"
                        + " insert into shelves_new select place, label || 's' from shelves where random() < 0.9"));
        return true;
    }

    /** @param views SQL that creates the views again, because they depend on the table itself, not on its name */
    private void swap(String table, String views) throws SQLException {
        execute("begin");
        bringUpToDate(table + "_new", table);
        execute("alter table " + table + " rename to " + table + "_old");
        execute("alter table " + table + "_new rename to " + table);
        execute("drop table " + table + "_old cascade");
        execute(views);
        execute("commit");
    }

    private boolean prepareFarPartition(String region, String rows) throws Exception {
        String table = "far_" + changeNumber;
        boolean partitioned = random.nextBoolean();
        pause.runStep(() -> {
            execute("create table " + table + " (like parts including all)"
                    + (partitioned ? " partition by hash (id)" : ""));
            if (partitioned) {
                execute("create table " + table + "_0 partition of " + table
                        + " for values with (modulus 1, remainder 0)");
            }
            execute("insert into " + table + " (region, id, at, place, hidden, version, body) "
                    + rows.formatted(region));
        });
        return true;
    }

    private FarPartition attach(FarPartition far) throws SQLException {
        execute("alter table parts attach partition " + far.table() + " for values in ('" + far.region() + "')");
        return far;
    }

    private void exchange(FarPartition other) throws SQLException {
        String present = attachedPartition.orElseThrow().table();
        execute("begin");
        bringUpToDate(other.table(), "parts");
        execute("alter table parts detach partition " + present);
        attach(other);
        execute("drop table " + present);
        execute("commit");
        attachedPartition = Optional.of(other);
    }

    /**
     * Deletes the rows of the copy that are no longer in the table, and gives a row of the copy a new version if the
     * row of the table has a later one.
     */
    private void bringUpToDate(String copy, String table) throws SQLException {
        execute("lock table " + table + " in access exclusive mode");
        execute("delete from " + copy + " c where not exists (select from " + table
                + " t where (t.region, t.id) = (c.region, c.id))");
        execute("update " + copy + " c set version = nextval('versions') from " + table
                + " t where (t.region, t.id) = (c.region, c.id) and t.version > c.version");
    }

    private void execute(String statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }

    private String text(String query) throws SQLException {
        try (var statement = connection.createStatement();
                var read = statement.executeQuery(query)) {
            read.next();
            return read.getString(1);
        }
    }
}
