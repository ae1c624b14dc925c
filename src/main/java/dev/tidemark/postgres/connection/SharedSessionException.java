package dev.tidemark.postgres.connection;

/** A pooler gives each transaction of a session to any of its server connections, which have other settings. */
public final class SharedSessionException extends UnusableSessionException {

    SharedSessionException() {
        super("a pooler between Tidemark and PostgreSQL is in transaction mode, in which a session loses its settings,"
                + " on which the order of pages depends. Use its session mode (pool_mode = session in PgBouncer, port"
                + " 5432 of Supabase's pooler), or connect directly to PostgreSQL");
    }
}
