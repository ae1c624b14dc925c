package dev.tidemark.local;

import java.sql.SQLException;

/** The role that reads feeds from the embedded server. It can read all tables, and cannot write. */
final class ReaderRole {

    static final String NAME = "tidemark_reader";

    private static final String CREATE = """
            do $$ begin
              create role tidemark_reader login in role pg_read_all_data;
            exception when duplicate_object then null;
            end $$""";

    private ReaderRole() {}

    /** Creates the role on the server on this port, unless the role exists. */
    static void createIfMissing(int port) {
        try (var connection = LocalPostgres.superuserDataSource(port).getConnection();
                var statement = connection.createStatement()) {
            statement.execute(CREATE);
        } catch (SQLException e) {
            throw new LocalPostgresException(
                    "The role " + NAME + " could not be created in the embedded PostgreSQL.", e);
        }
    }
}
