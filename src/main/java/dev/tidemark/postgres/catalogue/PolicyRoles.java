package dev.tidemark.postgres.catalogue;

import dev.tidemark.declare.Table;
import java.util.List;

/** Finds which policies of row security apply to the roles that read the tables of the feeds. */
final class PolicyRoles {

    /**
     * Follows views to the relations that they read, and policies to those that they ask. The role of the session
     * reads them and, through a view, its owner. A policy applies to members of its roles, and to no owner.
     */
    private static final String ROLES = """
            WITH RECURSIVE reached(oid, kind, owner) AS (
              SELECT c.oid, c.relkind, c.relowner FROM unnest(%s, %s) f(schema, name)
              JOIN pg_catalog.pg_namespace n ON n.nspname = f.schema
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = f.name
              UNION
              SELECT c.oid, c.relkind, c.relowner FROM reached r
              CROSS JOIN LATERAL (
                SELECT 'pg_catalog.pg_rewrite'::regclass AS class, w.oid FROM pg_catalog.pg_rewrite w WHERE w.ev_class = r.oid
                UNION ALL
                SELECT 'pg_catalog.pg_policy'::regclass, p.oid FROM pg_catalog.pg_policy p WHERE p.polrelid = r.oid) part
              JOIN pg_catalog.pg_depend d ON d.classid = part.class AND d.objid = part.oid
                AND d.refclassid = 'pg_catalog.pg_class'::regclass
              JOIN pg_catalog.pg_class c ON c.oid = d.refobjid),
            reader AS (
              SELECT a.oid, a.rolsuper OR a.rolbypassrls AS bypasses FROM pg_catalog.pg_roles a
              WHERE a.rolname = current_user OR a.oid IN (SELECT owner FROM reached WHERE kind = 'v')),
            asked(oid) AS (
              SELECT r.owner FROM reached r JOIN pg_catalog.pg_class c ON c.oid = r.oid WHERE c.relrowsecurity
              UNION
              SELECT unnest(p.polroles) FROM reached r JOIN pg_catalog.pg_policy p ON p.polrelid = r.oid)
            SELECT pg_catalog.concat_ws(';',
              (SELECT string_agg(r.oid || ' ' || r.bypasses, ',' ORDER BY r.oid) FROM reader r),
              (SELECT string_agg(r.oid || ' ' || a.oid, ',' ORDER BY r.oid, a.oid) FROM reader r, asked a
               WHERE a.oid <> 0 AND pg_catalog.pg_has_role(r.oid, a.oid, 'USAGE')))""";

    private PolicyRoles() {}

    /** Returns a query for one value, which changes when other policies apply to the tables. */
    static String query(List<Table> tables) {
        List<Table> distinct = tables.stream().distinct().toList();
        return ROLES.formatted(
                PrivilegeCheck.arrayLiteral(distinct, Table::schema),
                PrivilegeCheck.arrayLiteral(distinct, Table::name));
    }
}
