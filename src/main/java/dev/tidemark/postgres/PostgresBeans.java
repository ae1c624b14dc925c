package dev.tidemark.postgres;

import dev.tidemark.postgres.sql.ServingIndexes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What of this package is shared between its beans. */
final class PostgresBeans {

    @Produces
    @Singleton
    ServingIndexes servingIndexes() {
        return new ServingIndexes();
    }
}
