package dev.tidemark.postgres.catalogue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The parse tree of an expression, in the text form of PostgreSQL's nodes, such as
 * {@code {OPEXPR :opno 98 :opfuncid 67 :args ({VAR …} {CONST …})}}.
 *
 * @param name of the node
 * @param fields the values of its fields that are no nodes
 * @param children the nodes in its fields
 */
record ExpressionTree(String name, Map<String, String> fields, Map<String, List<ExpressionTree>> children) {

    /**
     * The oids of two types between which a value is converted through its text, because there is no function for it.
     */
    record Conversion(long from, long to) {}

    /** A function with the number of arguments that are passed to it. */
    record Call(long function, int arguments) {}

    private static final String BOOLEAN = "16";

    /**
     * The field that has the type of a node, of those nodes whose result depends only on the row if it does for their
     * functions. The names of some nodes are shorter before PostgreSQL 16.
     */
    private static final Map<String, String> TYPE_FIELDS = Map.ofEntries(
            Map.entry("VAR", "vartype"),
            Map.entry("CONST", "consttype"),
            Map.entry("FUNCEXPR", "funcresulttype"),
            Map.entry("OPEXPR", "opresulttype"),
            Map.entry("DISTINCTEXPR", "opresulttype"),
            Map.entry("NULLIFEXPR", "opresulttype"),
            Map.entry("SCALARARRAYOPEXPR", ""),
            Map.entry("BOOLEXPR", ""),
            Map.entry("NULLTEST", ""),
            Map.entry("BOOLEANTEST", ""),
            Map.entry("SUBSCRIPTINGREF", "refrestype"),
            Map.entry("FIELDSELECT", "resulttype"),
            Map.entry("RELABELTYPE", "resulttype"),
            Map.entry("COERCEVIAIO", "resulttype"),
            Map.entry("ARRAYCOERCEEXPR", "resulttype"),
            Map.entry("COERCETODOMAIN", "resulttype"),
            Map.entry("COLLATEEXPR", "arg"),
            Map.entry("NAMEDARGEXPR", "arg"),
            Map.entry("CASEEXPR", "casetype"),
            Map.entry("CASE", "casetype"),
            Map.entry("CASETESTEXPR", "typeId"),
            Map.entry("ARRAYEXPR", "array_typeid"),
            Map.entry("ARRAY", "array_typeid"),
            Map.entry("COALESCEEXPR", "coalescetype"),
            Map.entry("COALESCE", "coalescetype"),
            Map.entry("MINMAXEXPR", "minmaxtype"),
            Map.entry("MINMAX", "minmaxtype"));

    /** Parts of such nodes that have no type of their own. */
    private static final Set<String> PARTS = Set.of("CASEWHEN", "WHEN");

    private static final Set<String> COLLATION_FIELDS = Set.of(
            "varcollid",
            "constcollid",
            "funccollid",
            "opcollid",
            "refcollid",
            "resultcollid",
            "collOid",
            "casecollid",
            "collation",
            "array_collid",
            "coalescecollid",
            "minmaxcollid");

    private static final String TIMESTAMPTZ = "1184";

    private static final Pattern TOKEN = Pattern.compile("[(){}]|(?:\\\\.|[^\\s(){}\\\\])+");

    /**
     * @param query the tree of a query that selects an expression
     * @return the tree of the expression; empty if there is none
     */
    static Optional<ExpressionTree> ofSelectList(String query) {
        int start = query.indexOf('{');
        return start < 0
                ? Optional.empty()
                : new Reader(query.substring(start))
                        .node().children().getOrDefault("targetList", List.of()).stream()
                                .findFirst()
                                .flatMap(entry -> entry.children().getOrDefault("expr", List.of()).stream()
                                        .findFirst());
    }

    private static final class Reader {

        private final Matcher tokens;

        Reader(String text) {
            tokens = TOKEN.matcher(text);
            tokens.find();
        }

        /** Reads a node, after its opening bracket. */
        ExpressionTree node() {
            tokens.find();
            String name = tokens.group();
            Map<String, String> fields = new HashMap<>();
            Map<String, List<ExpressionTree>> children = new HashMap<>();
            String field = "";
            int depth = 0;
            while (tokens.find()) {
                String token = tokens.group();
                if (token.equals("{")) {
                    children.computeIfAbsent(field, added -> new ArrayList<>()).add(node());
                } else if (token.equals("(")) {
                    depth++;
                } else if (token.equals(")")) {
                    depth--;
                } else if (token.equals("}") && depth == 0) {
                    break;
                } else if (token.startsWith(":") && depth == 0) {
                    field = token.substring(1);
                } else {
                    fields.merge(field, token, (before, next) -> before + ' ' + next);
                }
            }
            return new ExpressionTree(name, fields, children);
        }
    }

    private Stream<ExpressionTree> nodes() {
        return Stream.concat(
                Stream.of(this),
                children.values().stream().flatMap(List::stream).flatMap(ExpressionTree::nodes));
    }

    /** Returns why the expression cannot be a derived column whatever its functions are; empty if it can. */
    Optional<String> fault() {
        Optional<String> other = nodes().map(ExpressionTree::name)
                .filter(node -> !TYPE_FIELDS.containsKey(node) && !PARTS.contains(node))
                .findFirst();
        if (other.isPresent()) {
            return other.map(ExpressionTree::describe);
        }
        if (nodes().anyMatch(node -> node.is("funcretset", "true") || node.is("opretset", "true"))) {
            return Optional.of("must have one value, but returns a set");
        }
        List<Integer> columns = nodes().filter(node -> node.name.equals("VAR"))
                .map(node -> Integer.valueOf(node.fields.getOrDefault("varattno", "0")))
                .toList();
        if (columns.isEmpty()) {
            return Optional.of("must name a column of the table");
        }
        if (columns.stream().anyMatch(number -> number < 0)) {
            return Optional.of("must not name a system column");
        }
        return Optional.empty();
    }

    /**
     * Returns whether this tree has the same constants as a tree of the same expression that was parsed before, in
     * another transaction, and in a time zone that is {@code eastwards} of this one's, by more than a day.
     *
     * <p>PostgreSQL computes a constant from its text when it parses the expression, so nothing else in the tree tells
     * of {@code 'now'} or {@code 'today'}. But {@code 'now'} is another time in each transaction, and {@code 'today'},
     * {@code 'tomorrow'}, and {@code 'yesterday'} are other dates in time zones that far apart, however the text is
     * written and whatever type contains them. Only a type that rounds times could hide this.
     *
     * <p>A {@code timestamptz} without a time zone is a fixed time, because all sessions that read pages have the same
     * one. It differs by exactly {@code eastwards}; {@code 'today'} does not, because its date differs, too.
     */
    boolean hasConstantsOf(ExpressionTree before, Duration eastwards) {
        List<ExpressionTree> now = constants();
        List<ExpressionTree> then = before.constants();
        return now.size() == then.size()
                && IntStream.range(0, now.size())
                        .allMatch(i -> now.get(i).constant().equals(then.get(i).constant())
                                || now.get(i).type().equals(TIMESTAMPTZ)
                                        && now.get(i).microseconds()
                                                        - then.get(i).microseconds()
                                                == eastwards.toNanos() / 1000);
    }

    private List<ExpressionTree> constants() {
        return nodes().filter(node -> node.name.equals("CONST")).toList();
    }

    /** The bytes of a constant, such as {@code 4 [ 1 0 0 0 0 0 0 0 ]}. */
    private String constant() {
        return fields.getOrDefault("constvalue", "");
    }

    /** The value of a constant of type {@code timestamptz}, whose bytes have the order of most processors. */
    private long microseconds() {
        String[] bytes = constant().replaceAll(".*\\[ | ]", "").split(" ");
        return IntStream.range(0, Math.min(bytes.length, Long.BYTES))
                .mapToLong(i -> (Integer.parseInt(bytes[i]) & 0xFFL) << i * Byte.SIZE)
                .sum();
    }

    private boolean is(String field, String value) {
        return value.equals(fields.get(field));
    }

    private static String describe(String node) {
        return switch (node) {
            case "SUBLINK", "QUERY" -> "must not contain a subquery";
            case "AGGREF", "GROUPINGFUNC" -> "must not contain an aggregate";
            case "WINDOWFUNC" -> "must not contain a window function";
            case "SQLVALUEFUNCTION" ->
                "must depend only on its row, and not on the time or the session, as CURRENT_DATE and CURRENT_USER do";
            default -> "contains a form of SQL that a derived column cannot have (" + node + ')';
        };
    }

    /** The column of the table that the expression is; empty if it is more than a column. */
    Optional<Integer> column() {
        return name.equals("VAR") ? Optional.of(Integer.valueOf(fields.get("varattno"))) : Optional.empty();
    }

    private ExpressionTree argument() {
        return children.getOrDefault("arg", List.of()).get(0);
    }

    /** The oids of the types of all nodes. */
    List<Long> types() {
        return nodes().map(ExpressionTree::type).distinct().map(Long::valueOf).toList();
    }

    /** The oid of the type. */
    String type() {
        String field = TYPE_FIELDS.getOrDefault(name, "");
        return switch (field) {
            case "" -> BOOLEAN;
            case "arg" -> argument().type();
            default -> fields.getOrDefault(field, "0");
        };
    }

    /** The oid of the collation; 0 if there is none, or if it is ambiguous. */
    String collation() {
        return COLLATION_FIELDS.stream()
                .flatMap(field -> Stream.ofNullable(fields.get(field)))
                .findFirst()
                .orElseGet(() -> name.equals("NAMEDARGEXPR") ? argument().collation() : "0");
    }

    /** The functions, also those behind operators and casts. */
    List<Call> calls() {
        return nodes().flatMap(node -> Stream.of("funcid", "opfuncid")
                        .flatMap(field -> Stream.ofNullable(node.fields.get(field)))
                        .map(function -> new Call(
                                Long.parseLong(function),
                                node.children.getOrDefault("args", List.of()).size())))
                .distinct()
                .toList();
    }

    List<Conversion> conversions() {
        return nodes().filter(node -> node.name.equals("COERCEVIAIO"))
                .map(node -> new Conversion(Long.parseLong(node.argument().type()), Long.parseLong(node.type())))
                .toList();
    }

    /** Returns the oids of all functions and types, as an array of PostgreSQL. */
    static <T> String array(List<T> values, Function<T, Long> oid) {
        return values.stream().map(oid).map(Object::toString).collect(Collectors.joining(",", "'{", "}'"));
    }
}
