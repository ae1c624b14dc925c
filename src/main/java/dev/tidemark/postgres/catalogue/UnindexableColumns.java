package dev.tidemark.postgres.catalogue;

import dev.tidemark.naming.ColumnNames;
import dev.tidemark.postgres.catalogue.PlannedSort.TableName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns that no suggested index must have: those that PostgreSQL cannot index, and those with texts that can be
 * too long for an index. With such an index, PostgreSQL rejects each row with a long text, so that the application
 * fails.
 */
record UnindexableColumns(Map<TableColumnName, Limit> limits) {

    record TableColumnName(TableName table, String column) {}

    /**
     * @param reason the end of a sentence that says why no index must have the column; empty if one can have it
     * @param bytes the most bytes that a value can have; meaningless if there is a reason
     */
    private record Limit(Optional<String> reason, long bytes) {}

    /**
     * PostgreSQL has virtual generated columns from version 18 on. The values of a domain are limited by the domain,
     * and by the types and domains that it is based on. If an index of all rows or a foreign key has the column
     * already, longer texts are rejected already. The statistics contain all values of a column only if these are few
     * and short.
     */
    private static final String FIND = """
            WITH RECURSIVE wanted AS (
              SELECT n.nspname, c.relname, c.relkind, c.reltuples, a.*
              FROM unnest($1::text[], $2::text[]) AS t(schema, name)
              JOIN pg_catalog.pg_namespace n ON n.nspname = t.schema
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = t.name
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
            base(attrelid, attnum, type, typmod) AS (
              SELECT attrelid, attnum, atttypid, atttypmod FROM wanted
              UNION ALL
              SELECT b.attrelid, b.attnum, t.typbasetype, CASE WHEN b.typmod >= 0 THEN b.typmod ELSE t.typtypmod END
              FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type WHERE t.typtype = 'd')
            SELECT a.nspname::text AS schema, a.relname::text AS name, a.attname::text AS column, a.attgenerated = 'v' AS virtual,
              t.typlen::int4 AS typlen, t.typcategory = 'S' AND t.typlen = -1 AS istext,
              CASE WHEN t.oid IN ('varchar'::regtype, 'bpchar'::regtype) AND b.typmod > 4 THEN b.typmod - 4 END AS characters,
              (SELECT pg_catalog.pg_encoding_max_length(encoding) FROM pg_catalog.pg_database
                WHERE datname = pg_catalog.current_database()) AS characterbytes,
              ARRAY(SELECT pg_catalog.pg_get_constraintdef(k.oid) FROM pg_catalog.pg_constraint k
                WHERE k.contype = 'c' AND k.convalidated AND (k.conrelid = a.attrelid AND k.conkey = ARRAY[a.attnum]
                  OR k.contypid IN (SELECT d.type FROM base d WHERE d.attrelid = a.attrelid AND d.attnum = a.attnum)))
                AS checks,
              EXISTS (SELECT 1 FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
                  JOIN pg_catalog.pg_am am ON am.oid = c.relam AND am.amname = 'btree'
                WHERE i.indrelid = a.attrelid AND i.indisvalid AND i.indpred IS NULL AND a.attnum = ANY (i.indkey::int2[]))
                OR EXISTS (SELECT 1 FROM pg_catalog.pg_constraint f
                  WHERE f.conrelid = a.attrelid AND f.contype = 'f' AND a.attnum = ANY (f.conkey)) AS limited,
              CASE WHEN a.reltuples >= 100 AND s.n_distinct BETWEEN 1 AND 50 AND s.histogram_bounds IS NULL THEN (
                SELECT CASE WHEN count(*) >= s.n_distinct AND a.reltuples >= 10 * count(*) THEN max(pg_catalog.octet_length(v)) END
                FROM unnest(s.most_common_vals::text::text[]) v) END::int8 AS known
            FROM wanted a
            JOIN base b ON b.attrelid = a.attrelid AND b.attnum = a.attnum
            JOIN pg_catalog.pg_type t ON t.oid = b.type AND t.typtype <> 'd'
            LEFT JOIN pg_catalog.pg_stats s ON s.schemaname = a.nspname AND s.tablename = a.relname AND s.attname = a.attname
              AND s.inherited = (a.relkind = 'p')""";

    /** A limit of the length of a text, in the definition of a constraint. */
    private static final Pattern LENGTH = Pattern.compile(
            "\\b(?<function>char_length|character_length|length|octet_length)\\(\\(*(?:VALUE|\"(?:[^\"]|\"\")+\"|\\w+)\\)*(?:::[a-z ]+\\)*)?\\)"
                    + " (?<operator><=?) (?<limit>\\d{1,9})\\b");

    /** A list of the texts that are allowed. */
    private static final Pattern LIST = Pattern.compile(" = ANY \\(\\(?ARRAY\\['");

    /** One of these conditions can be met by longer texts. A NULL is not longer. */
    private static final Pattern ALTERNATIVE = Pattern.compile("(?<! IS NULL\\)) OR |\\bNOT\\b(?! NULL)|\\bCASE\\b");

    /**
     * PostgreSQL rejects longer rows of an index, apart from their compression, which depends on the values. The
     * number is that of pages of 8 kB.
     */
    private static final int MAX_INDEX_ROW = 2704;

    /** For the header of the row, and the alignment of its values. */
    private static final int RESERVED = 64;

    /**
     * The most bytes of a text in the statistics that shows that the column contains short names for states or kinds.
     */
    private static final int MAX_KNOWN = 64;

    private static final String REJECTS =
            ", and PostgreSQL rejects rows whose indexed values take more than " + bytes(MAX_INDEX_ROW);

    private static final String VIRTUAL =
            "is a virtual generated column, which PostgreSQL cannot index; make it STORED, or index its expression";

    static Uni<UnindexableColumns> find(SqlClient client, Collection<TableName> tables) {
        return client.preparedQuery(FIND)
                .execute(Tuple.of(
                        tables.stream().map(TableName::schema).toArray(String[]::new),
                        tables.stream().map(TableName::name).toArray(String[]::new)))
                .map(rows -> new UnindexableColumns(rows.stream()
                        .collect(Collectors.toMap(
                                row -> new TableColumnName(
                                        new TableName(row.getString("schema"), row.getString("name")),
                                        row.getString("column")),
                                UnindexableColumns::limit))));
    }

    private static Limit limit(Row row) {
        if (row.getBoolean("virtual")) {
            return new Limit(Optional.of(VIRTUAL), 0);
        }
        if (!row.getBoolean("istext")) {
            return new Limit(Optional.empty(), Math.max(8, row.getInteger("typlen")));
        }
        OptionalLong declared = declaredBytes(row);
        if (declared.isPresent() && declared.getAsLong() <= MAX_INDEX_ROW - RESERVED) {
            return new Limit(Optional.empty(), declared.getAsLong());
        }
        Long known = row.getLong("known");
        if (row.getBoolean("limited")
                || known != null && known <= MAX_KNOWN && !ColumnNames.suggestsFreeText(row.getString("column"))) {
            return new Limit(Optional.empty(), MAX_KNOWN);
        }
        return new Limit(
                Optional.of((declared.isPresent()
                                ? "can have texts of " + bytes(declared.getAsLong())
                                : "can have texts of any length")
                        + REJECTS
                        + "; if all are short, say so with varchar(n) or with a CHECK constraint on its length"),
                0);
    }

    /** The most bytes that the type, its domains, and the constraints allow. */
    private static OptionalLong declaredBytes(Row row) {
        int characterBytes = row.getInteger("characterbytes");
        Integer characters = row.getInteger("characters");
        return Stream.concat(
                        Stream.ofNullable(characters).map(limit -> (long) limit * characterBytes),
                        Stream.of(row.getArrayOfStrings("checks"))
                                .flatMap(check -> checkedBytes(check, characterBytes)))
                .mapToLong(Long::longValue)
                .min();
    }

    private static Stream<Long> checkedBytes(String check, int characterBytes) {
        if (ALTERNATIVE.matcher(check).find()) {
            return Stream.empty();
        }
        if (LIST.matcher(check).find()) {
            return Stream.of((long) check.getBytes(StandardCharsets.UTF_8).length);
        }
        Matcher length = LENGTH.matcher(check);
        return length.find()
                ? Stream.of(Long.parseLong(length.group("limit"))
                        * (length.group("function").equals("octet_length") ? 1 : characterBytes))
                : Stream.empty();
    }

    private static String bytes(long number) {
        return String.format(Locale.ROOT, "%,d bytes", number);
    }

    /** Returns a sentence that says why an index must not have these columns, if there is a reason. */
    Optional<String> reason(TableName table, List<String> columns) {
        return columns.stream()
                .flatMap(column -> reason(table, column).map(reason -> column + ' ' + reason).stream())
                .findFirst()
                .or(() -> whyTogether(table, columns));
    }

    private Optional<String> whyTogether(TableName table, List<String> columns) {
        long bytes = columns.stream()
                .map(column -> limits.get(new TableColumnName(table, column)))
                .mapToLong(limit -> limit == null ? 0 : limit.bytes())
                .sum();
        return bytes <= MAX_INDEX_ROW - RESERVED
                ? Optional.empty()
                : Optional.of(String.join(", ", columns) + " together can have texts of " + bytes(bytes) + REJECTS);
    }

    /** Returns the end of a sentence about the column, if an index must not have it. */
    Optional<String> reason(TableName table, String column) {
        return Optional.ofNullable(limits.get(new TableColumnName(table, column)))
                .flatMap(Limit::reason);
    }
}
