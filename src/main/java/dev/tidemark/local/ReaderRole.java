package dev.tidemark.local;

import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** Whom the embedded server knows as the reader of feeds: it may read all there is, and write nothing. */
final class ReaderRole {

    static final String NAME = "tidemark_reader";

    private static final String CREATE = """
            do $$ begin
              create role tidemark_reader login in role pg_read_all_data;
            exception when duplicate_object then null;
            end $$""";

    private ReaderRole() {}

    /** Sees to it that the server on the port has it. */
    static void provide(int port) {
        var source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"localhost"});
        source.setPortNumbers(new int[] {port});
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(CREATE);
        } catch (SQLException e) {
            throw new LocalPostgresException("The embedded PostgreSQL does not let a role be made.", e);
        }
    }
}
