package dev.tidemark.propose;

import dev.tidemark.naming.NearestName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables and views for which feeds are proposed. Names are written as in SQL. As in {@code pg_dump}, the
 * characters {@code *} and {@code ?} outside double quotes stand for any text and for any character; a name without
 * quotes that differs from a table only in its case is accepted, too.
 *
 * @param names names of tables and views, with or without a schema; empty for all in the schemas
 * @param schemas names of schemas; empty for all
 */
public record Selection(List<String> names, List<String> schemas) {

    private static final Selection ALL = new Selection(List.of(), List.of());

    private static final String IDENTIFIER = "(?:\"(?:[^\"]|\"\")*\"|[^\".])+";

    private static final Pattern QUALIFIED = Pattern.compile("(?:(" + IDENTIFIER + ")\\.)?(" + IDENTIFIER + ")");

    private static final Pattern PIECE = Pattern.compile("\"((?:[^\"]|\"\")*)\"|([*?])|([^\"*?]+)");

    private static final Pattern COMMA_OUTSIDE_QUOTES = Pattern.compile(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");

    public Selection {
        names = List.copyOf(names);
        schemas = List.copyOf(schemas);
    }

    public static Selection all() {
        return ALL;
    }

    public static Selection of(List<String> names) {
        return new Selection(names, List.of());
    }

    /** Returns the names in a list that is separated by commas. */
    public static List<String> split(String list) {
        return COMMA_OUTSIDE_QUOTES
                .splitAsStream(list)
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** A relation, with its SQL name, which is qualified and quoted where SQL requires it. */
    private record Name(String sqlName, String schema, String name) {

        static Name of(String sqlName) {
            Matcher parts = QUALIFIED.matcher(sqlName);
            if (!parts.matches()) {
                throw new IllegalArgumentException("not the SQL name of a relation: " + sqlName);
            }
            return new Name(sqlName, unquoted(parts.group(1)), unquoted(parts.group(2)));
        }

        private static String unquoted(String identifier) {
            return identifier.startsWith("\"")
                    ? identifier.substring(1, identifier.length() - 1).replace("\"\"", "\"")
                    : identifier;
        }
    }

    /**
     * Chooses the relations. The tables in which migration tools record their progress are chosen only by their whole
     * name.
     *
     * @param readable the SQL names of the relations that the current role may read
     * @return SQL names, without duplicates; a name without wildcards and without {@link #schemas} as it was given,
     *     even if there is no such relation
     * @throws IllegalArgumentException if a schema has no readable relation, or nothing matches a name
     */
    List<String> choose(List<String> readable) {
        List<Name> relations = readable.stream().map(Name::of).toList();
        List<Name> inSchemas = inSchemas(relations);
        if (names.isEmpty()) {
            return inSchemas.stream()
                    .filter(relation -> !MigrationTables.isOne(relation.name()))
                    .map(Name::sqlName)
                    .toList();
        }
        Set<String> chosen = new LinkedHashSet<>();
        for (String name : names) {
            if (schemas.isEmpty() && !hasWildcard(name)) {
                chosen.add(name);
            } else {
                chosen.addAll(matching(name, inSchemas));
            }
        }
        return List.copyOf(chosen);
    }

    private List<Name> inSchemas(List<Name> relations) {
        if (schemas.isEmpty()) {
            return relations;
        }
        Set<String> known = relations.stream().map(Name::schema).collect(Collectors.toCollection(LinkedHashSet::new));
        for (String schema : schemas) {
            if (known.stream().noneMatch(matcher(schema))) {
                throw new IllegalArgumentException("There is no schema " + schema
                        + " with a table or view that the database role may read" + NearestName.hint(schema, known)
                        + ".");
            }
        }
        return relations.stream()
                .filter(relation ->
                        schemas.stream().anyMatch(schema -> matcher(schema).test(relation.schema())))
                .toList();
    }

    private List<String> matching(String name, List<Name> relations) {
        Matcher parts = QUALIFIED.matcher(name);
        List<String> matching = !parts.matches()
                ? List.of()
                : relations.stream()
                        .filter(relation -> (parts.group(1) == null
                                        || matcher(parts.group(1)).test(relation.schema()))
                                && matcher(parts.group(2)).test(relation.name())
                                && (!hasWildcard(name) || !MigrationTables.isOne(relation.name())))
                        .map(Name::sqlName)
                        .toList();
        if (matching.isEmpty()) {
            String where = schemas.isEmpty() ? "" : " in schema " + String.join(", ", schemas);
            throw new IllegalArgumentException(
                    hasWildcard(name)
                            ? "No table or view that the database role may read matches " + name + where + "."
                            : "There is no table or view " + name + where + " that the database role may read"
                                    + NearestName.hint(
                                            name,
                                            relations.stream()
                                                    .map(relation ->
                                                            name.contains(".") ? relation.sqlName() : relation.name())
                                                    .toList())
                                    + ".");
        }
        return matching;
    }

    private static boolean hasWildcard(String name) {
        return PIECE.matcher(name).results().anyMatch(piece -> piece.group(2) != null);
    }

    private static Predicate<String> matcher(String identifier) {
        return Pattern.compile(regex(identifier, false))
                .asMatchPredicate()
                .or(Pattern.compile(regex(identifier, true)).asMatchPredicate());
    }

    private static String regex(String identifier, boolean foldsCase) {
        return PIECE.matcher(identifier)
                .results()
                .map(piece -> {
                    if (piece.group(1) != null) {
                        return Pattern.quote(piece.group(1).replace("\"\"", "\""));
                    }
                    if (piece.group(2) != null) {
                        return piece.group(2).equals("*") ? ".*" : ".";
                    }
                    String text = piece.group(3);
                    return Pattern.quote(foldsCase ? text.toLowerCase(Locale.ROOT) : text);
                })
                .collect(Collectors.joining());
    }
}
