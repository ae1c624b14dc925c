package dev.tidemark.refresh;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.postgresql.PGConnection;

/** Writes in random transactions. Some stay open while clients refresh, so they commit late. */
final class RandomWriter implements Pause.Work {

    /**
     * Errors that are expected, such as lock timeouts, deadlocks, and rows that move to another partition or whose
     * partition is detached. If a lock is granted just when its timeout ends, PostgreSQL reports a canceled statement
     * (57014).
     */
    private static final Set<String> EXPECTED_SQL_STATES = Set.of("55P03", "57014", "40P01", "40001", "23505", "23514");

    private static final String NEXT_VERSION_ASSIGNMENT = "version = nextval('versions')";

    private final Connection connection;
    private final Random random;
    private final Pause pause;
    private final AtomicBoolean stopping;
    private final String name;
    private final Map<String, Integer> counts = new TreeMap<>();
    private int preparedCount;

    /** The probability that a transaction stays open for some time. */
    private volatile double lateProbability;

    RandomWriter(Connection connection, long seed, Pause pause, AtomicBoolean stopping, String name) {
        this.connection = connection;
        this.random = new Random(seed);
        this.pause = pause;
        this.stopping = stopping;
        this.name = name;
    }

    void setLateProbability(double probability) {
        lateProbability = probability;
    }

    /** The number of transactions of each kind, and under {@code FAILED} the number of those that failed. */
    Map<String, Integer> counts() {
        return counts;
    }

    @Override
    public void run() throws Exception {
        execute("set lock_timeout = '40ms'");
        while (!stopping.get()) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            try {
                runTransaction(kind);
                counts.merge(kind.name(), 1, Integer::sum);
            } catch (SQLException failure) {
                if (!EXPECTED_SQL_STATES.contains(failure.getSQLState())) {
                    throw failure;
                }
                runStep("rollback");
                counts.merge("FAILED", 1, Integer::sum);
            }
            pause.transactionEnded();
        }
    }

    private enum Kind {
        SINGLE,
        SHORT,
        SAVEPOINTS,
        EXCEPTIONS,
        PREPARED,
        MERGED,
        COPIED
    }

    private void runTransaction(Kind kind) throws Exception {
        boolean mayPause = random.nextDouble() < lateProbability;
        if (kind == Kind.SINGLE && !mayPause) {
            runStep(randomChangeSql());
            return;
        }
        runStep("begin");
        maybePause(mayPause, 0.3);
        switch (kind) {
            case SINGLE, SHORT, PREPARED -> runChanges();
            case SAVEPOINTS -> runChangesWithSavepoints();
            case EXCEPTIONS -> {
                maybeRunChange(0.5);
                runStep(editsWithExceptionsSql());
                maybeRunChange(0.3);
            }
            case MERGED -> runStep(mergeSql());
            case COPIED -> copyRows();
        }
        maybePause(mayPause, 0.7);
        if (kind == Kind.PREPARED) {
            String transaction = "'" + name + '-' + preparedCount++ + "'";
            runStep("prepare transaction " + transaction);
            maybePause(mayPause, 1);
            runStep((random.nextInt(6) == 0 ? "rollback" : "commit") + " prepared " + transaction);
        } else {
            runStep(random.nextInt(6) == 0 ? "rollback" : "commit");
        }
    }

    private void maybePause(boolean mayPause, double probability) throws InterruptedException {
        if (mayPause && random.nextDouble() < probability) {
            pause.awaitPauses(1 + random.nextInt(3));
        }
    }

    private void runChanges() throws Exception {
        for (int i = random.nextInt(3); i >= 0; i--) {
            runStep(randomChangeSql());
        }
    }

    private void maybeRunChange(double probability) throws Exception {
        if (random.nextDouble() < probability) {
            runStep(randomChangeSql());
        }
    }

    private void runChangesWithSavepoints() throws Exception {
        maybeRunChange(0.5);
        runStep("savepoint a");
        runStep(randomChangeSql());
        if (random.nextBoolean()) {
            runStep("savepoint b");
            runStep(randomChangeSql());
            switch (random.nextInt(3)) {
                case 0 -> runStep("rollback to b");
                case 1 -> runStep("release b");
                default -> maybeRunChange(0.5);
            }
        }
        switch (random.nextInt(4)) {
            case 0 -> runStep("rollback to a");
            case 1 -> runStep("release a");
            default -> maybeRunChange(0.3);
        }
        maybeRunChange(0.3);
    }

    private String editsWithExceptionsSql() {
        return """
            do $$ begin
              begin %s; exception when others then null; end;
              begin %s; raise 'undone'; exception when raise_exception then %s; end;
            end $$\
            """.formatted(editSql(), editSql(), editSql());
    }

    private String mergeSql() {
        String table = randomTable();
        return """
            merge into %1$s t using (
                select region, id, true as known from %1$s where place = %2$d union all
                select %3$s, nextval('ids'), false) s
            on t.region = s.region and t.id = s.id
            when matched and t.id %% 5 = 0 then delete
            when matched and t.id %% 5 < 3 then update set %4$s, body = t.body || 'm'
            when not matched then insert (region, id, at, place, version, body)
                values (s.region, s.id, %5$s, %2$d, nextval('versions'), 'merged')\
            """.formatted(table, random.nextInt(40), regionSql(table), NEXT_VERSION_ASSIGNMENT, timeSql());
    }

    private void copyRows() throws Exception {
        String table = randomTable();
        pause.runStep(() -> {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 3; i++) {
                String line = "select concat_ws(E'\\t', %s, nextval('ids'), %s, %d, nextval('versions'), 'copied')"
                        .formatted(regionSql(table), timeSql(), random.nextInt(10));
                try (var statement = connection.createStatement();
                        var read = statement.executeQuery(line)) {
                    read.next();
                    lines.append(read.getString(1)).append('\n');
                }
            }
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "copy " + table + " (region, id, at, place, version, body) from stdin",
                            new StringReader(lines.toString()));
        });
    }

    private String editSql() {
        String table = randomTable();
        return "update " + table + " set " + NEXT_VERSION_ASSIGNMENT + ", body = " + bodySql() + " where id >= "
                + random.nextInt(700) + " and place = " + random.nextInt(10);
    }

    /** A change to an embedded row, which leaves the versions of the rows that embed it as they are. */
    private String shelfChangeSql() {
        int place = random.nextInt(12);
        return switch (random.nextInt(4)) {
            case 0 -> "delete from shelves where place = " + place;
            case 1 ->
                "insert into shelves values (" + place
                        + ", md5(random()::text)) on conflict (place) do update set label = excluded.label";
            default -> "update shelves set label = md5(random()::text) where place = " + place;
        };
    }

    private String randomChangeSql() {
        if (random.nextInt(6) == 0) {
            return shelfChangeSql();
        }
        String table = randomTable();
        String some = " where (region, id) in (select region, id from " + table + " where id >= " + random.nextInt(700)
                + " order by id limit " + (1 + random.nextInt(3)) + ")";
        String all = " where place = " + random.nextInt(10);
        return switch (random.nextInt(table.equals("parts") ? 14 : 12)) {
            case 0, 1 -> insertSql(table);
            case 2 -> "delete from " + table + some;
            case 3, 4 -> "update " + table + " set " + NEXT_VERSION_ASSIGNMENT + ", body = " + bodySql() + some;
            case 5 -> "update " + table + " set " + NEXT_VERSION_ASSIGNMENT + some;
            case 6 ->
                "update " + table + " set " + NEXT_VERSION_ASSIGNMENT
                        + ", at = greatest(clock_timestamp(), at + interval '1 microsecond')" + some;
            case 7 -> "update " + table + " set " + NEXT_VERSION_ASSIGNMENT + ", place = " + random.nextInt(10) + some;
            case 8 -> "update " + table + " set " + NEXT_VERSION_ASSIGNMENT + ", hidden = not hidden" + some;
            case 9 -> "update " + table + " set " + NEXT_VERSION_ASSIGNMENT + all;
            case 10 -> "update " + table + " set body = body" + some;
            case 11 -> "select from " + table + some + " for no key update";
            default -> "update " + table + " set " + NEXT_VERSION_ASSIGNMENT + ", region = " + regionSql(table) + some;
        };
    }

    private String insertSql(String table) {
        return "insert into " + table + " (region, id, at, place, version, body) select " + regionSql(table)
                + ", nextval('ids'), " + timeSql() + ", " + random.nextInt(10) + ", nextval('versions'), " + bodySql()
                + " from generate_series(1, " + (1 + random.nextInt(3)) + ") on conflict (" + keyColumns(table)
                + ") do update set " + NEXT_VERSION_ASSIGNMENT;
    }

    private static String keyColumns(String table) {
        return table.equals("notes") ? "id" : "region, id";
    }

    private String randomTable() {
        return random.nextBoolean() ? "notes" : "parts";
    }

    private String regionSql(String table) {
        return table.equals("notes")
                ? "'none'"
                : "'" + new String[] {"north", "south", "east"}[random.nextInt(3)] + "'";
    }

    /** A time as SQL: now, or anywhere in the list. */
    private String timeSql() {
        return random.nextBoolean()
                ? "clock_timestamp()"
                : "timestamptz '2026-01-01' + " + random.nextInt(400) + " * interval '1 s'";
    }

    private String bodySql() {
        return "repeat(md5(random()::text), " + random.nextInt(90) + ")";
    }

    private void runStep(String statement) throws Exception {
        pause.runStep(() -> execute(statement));
    }

    private void execute(String statement) throws SQLException {
        try (var jdbcStatement = connection.createStatement()) {
            jdbcStatement.execute(statement);
        }
    }
}
