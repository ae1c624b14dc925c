package dev.tidemark.http;

import dev.tidemark.FeedsText;
import dev.tidemark.local.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Base class of profiles whose server has its own database, without the tables of other tests. It is both a test
 * profile and its test resource.
 */
public abstract class OwnDatabaseProfile implements QuarkusTestProfile, QuarkusTestResourceLifecycleManager {

    /**
     * Creates a database, and runs the statements that create its tables. Returns the settings of a server that uses
     * it, as a map that the caller can add to.
     */
    public static Map<String, String> settingsOfNewDatabase(String createTables) {
        String url = TestPostgres.newQuarkusDatabase();
        execute(url, createTables);
        Map<String, String> config = new LinkedHashMap<>();
        config.put("quarkus.datasource.reactive.url", url);
        config.put("quarkus.datasource.username", "postgres");
        config.put("quarkus.datasource.password", "postgres");
        config.put("tidemark.inbox.rows", "200");
        return config;
    }

    /** Executes statements over a connection of their own. They are committed when the method returns. */
    public static void execute(String url, String sql) {
        try (var connection = DriverManager.getConnection("jdbc:" + url, "postgres", "postgres");
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param properties of the feed, one on each line, such as {@code orders.newest: id desc} */
    protected static void declare(Map<String, String> config, String feed, String properties) {
        properties.lines().map(line -> line.split(": ", 2)).forEach(property -> {
            config.put("tidemark.feeds." + feed + '.' + property[0], property[1]);
        });
        Map<String, String> collected = FeedsText.collect(config);
        config.clear();
        config.putAll(collected);
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(getClass()));
    }

    /** The global test resources would provide another database. */
    @Override
    public boolean disableGlobalTestResources() {
        return true;
    }

    @Override
    public void stop() {}
}
