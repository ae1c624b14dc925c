package dev.tidemark.inbox;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The agents and customers of the sample. They are the same for every number of messages and every seed. */
final class SamplePeople {

    static final String[] HANDLES = {"amara", "bjorn", "chen", "dilan", "elif", "farid", "grace", "hana", "ivo", "julia"
    };

    private static final String[] AGENTS = {
        "Amara Diallo",
        "Bjørn Solberg",
        "Chen Yu",
        "Dilan Kaya",
        "Elif Demir",
        "Farid Rahimi",
        "Grace O'Neill",
        "Hana Novák",
        "Ivo Petrov",
        "Julia Sommer"
    };

    private static final String[] FIRST_NAMES = {
        "Ada", "Benoît", "Carla", "Dmitri", "Esther", "Fatima", "George", "Hiroko", "Ines", "Jakob", "Kwame", "Leyla",
        "Mateo", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Søren", "Tomás"
    };

    private static final String[] LAST_NAMES = {
        "Almeida",
        "Bauer",
        "Castillo",
        "D'Angelo",
        "Eriksen",
        "Fischer",
        "García",
        "Hughes",
        "Ivanova",
        "Jensen",
        "Khan",
        "Lindqvist",
        "Moreau",
        "Nakamura",
        "Okafor",
        "Park",
        "Rossi",
        "Silva",
        "Tanaka",
        "Wójcik"
    };

    /** Dark enough for white initials. */
    private static final String[] COLORS = {
        "#9c3d10", "#0b6e80", "#7a3fb0", "#4b6413", "#a8324a", "#1d5fa8", "#7a4a00", "#a3327f", "#0f6b4f", "#4a4fc4"
    };

    /** One customer for each pair of names. */
    static final int CUSTOMERS = FIRST_NAMES.length * LAST_NAMES.length;

    private static final String INSERT_AGENTS = """
            insert into inbox.agents (handle, name, color)
            select * from unnest($1::text[], $2::text[], $3::text[])
            """;

    /** Neighbouring numbers have different names and colors. */
    private static final String INSERT_CUSTOMERS = """
            insert into inbox.customers (id, name, color)
            select 1 + i,
                   first_names[1 + i % cardinality(first_names)] || ' '
                       || last_names[1 + (i + i / cardinality(first_names)) % cardinality(last_names)],
                   colors[1 + i * 7 % cardinality(colors)]
            from (select $1::text[], $2::text[], $3::text[]) as choices (first_names, last_names, colors),
                generate_series(0, cardinality(first_names) * cardinality(last_names) - 1) as i
            """;

    private SamplePeople() {}

    static Uni<Void> insertInto(SqlConnection connection) {
        return connection
                .preparedQuery(INSERT_AGENTS)
                .execute(Tuple.tuple()
                        .addArrayOfString(HANDLES)
                        .addArrayOfString(AGENTS)
                        .addArrayOfString(COLORS))
                .chain(() -> connection
                        .preparedQuery(INSERT_CUSTOMERS)
                        .execute(Tuple.tuple()
                                .addArrayOfString(FIRST_NAMES)
                                .addArrayOfString(LAST_NAMES)
                                .addArrayOfString(COLORS)))
                .replaceWithVoid();
    }
}
