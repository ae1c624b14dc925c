package dev.tidemark.propose;

import java.util.Locale;
import java.util.Set;

/** Recognizes the tables in which migration tools record their progress. Nobody scrolls through them. */
final class MigrationTables {

    /** The names that widespread tools use, in lower case, without characters that are no letters. */
    private static final Set<String> NAMES = Set.of(
            ("flywayschemahistory schemaversion schemahistory schemamigrations schemamigration dieselschemamigrations"
                            + " databasechangelog databasechangeloglock alembicversion djangomigrations"
                            + " arinternalmetadata knexmigrations knexmigrationslock goosedbversion prismamigrations"
                            + " sqlxmigrations seaqlmigrations refineryschemahistory efmigrationshistory"
                            + " gorpmigrations phinxlog doctrinemigrationversions pgmigrations sequelizemeta"
                            + " drizzlemigrations mikroormmigrations typeormmetadata typeormmigrations"
                            + " atlasschemarevisions dbmigrations dblock darwinmigrations migrations schemainfo"
                            + " backfilledmigrations previouslyrunsql postdeploymigrations datamigrations")
                    .split(" "));

    private MigrationTables() {}

    static boolean isOne(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}]", ""));
    }
}
