package dev.tidemark.postgres.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What PostgreSQL's parse tree of an expression contains, in the text form of its nodes, such as
 * {@code {OPEXPR :opno 98 :opfuncid 67 :args (…)}}.
 *
 * @param fault why the expression cannot be a derived column whatever its functions are; empty if it can
 * @param functions the oids of the functions, also of those behind operators and casts
 * @param conversions the casts that have no function, and go through the text of the value
 */
record ExpressionTree(Optional<String> fault, List<Long> functions, List<Conversion> conversions) {

    /** The oids of two types. */
    record Conversion(long from, long to) {}

    /** The nodes of which the result depends only on the row, if it does for their functions. */
    private static final Set<String> NODES = Set.of(
            "TARGETENTRY",
            "VAR",
            "CONST",
            "FUNCEXPR",
            "NAMEDARGEXPR",
            "OPEXPR",
            "DISTINCTEXPR",
            "NULLIFEXPR",
            "SCALARARRAYOPEXPR",
            "BOOLEXPR",
            "SUBSCRIPTINGREF",
            "FIELDSELECT",
            "RELABELTYPE",
            "COERCEVIAIO",
            "ARRAYCOERCEEXPR",
            "COERCETODOMAIN",
            "COLLATEEXPR",
            "CASEEXPR",
            "CASE",
            "CASEWHEN",
            "WHEN",
            "CASETESTEXPR",
            "ARRAYEXPR",
            "ARRAY",
            "COALESCEEXPR",
            "COALESCE",
            "MINMAXEXPR",
            "MINMAX",
            "NULLTEST",
            "BOOLEANTEST");

    private static final Pattern NODE = Pattern.compile("\\{([A-Z_]+)");
    private static final Pattern FUNCTION = Pattern.compile(":(?:funcid|opfuncid)\\s+(\\d+)");
    private static final Pattern SET = Pattern.compile(":(?:funcretset|opretset)\\s+true");
    private static final Pattern COLUMN = Pattern.compile("\\{VAR\\s+:varno\\s+\\d+\\s+:varattno\\s+(-?\\d+)");

    /** The first type in the argument is that of the argument itself or, under a cast without effect, of what is cast. */
    private static final Pattern CONVERSION = Pattern.compile("\\{COERCEVIAIO\\s+:arg\\s+");

    private static final Pattern TYPE = Pattern.compile(
            ":(?:vartype|consttype|funcresulttype|opresulttype|resulttype|casetype|coalescetype|minmaxtype|array_typeid"
                    + "|refrestype|refelemtype)\\s+(\\d+)");

    private static final Pattern RESULT_TYPE = Pattern.compile("\\s*:resulttype\\s+(\\d+)");

    private static final String UNKNOWN = "PostgreSQL does not tell what it uses";

    /** @param query the tree of a query that selects the expression */
    static ExpressionTree ofSelectList(String query) {
        String marker = ":targetList (";
        String spaced = query.replaceAll("\\s+", " ");
        int start = spaced.indexOf(marker);
        if (start < 0) {
            return rejected(UNKNOWN);
        }
        int end = closing(spaced, start + marker.length() - 1);
        String list = spaced.substring(start, end);
        Optional<String> other = NODE.matcher(list)
                .results()
                .map(node -> node.group(1))
                .filter(node -> !NODES.contains(node))
                .findFirst();
        if (other.isPresent()) {
            return rejected(describe(other.get()));
        }
        if (SET.matcher(list).find()) {
            return rejected("must have one value, but returns a set");
        }
        List<Integer> columns = COLUMN.matcher(list)
                .results()
                .map(column -> Integer.valueOf(column.group(1)))
                .toList();
        if (columns.isEmpty()) {
            return rejected("must name a column of the table");
        }
        if (columns.stream().anyMatch(number -> number < 0)) {
            return rejected("must not name a system column");
        }
        return new ExpressionTree(
                Optional.empty(),
                FUNCTION.matcher(list)
                        .results()
                        .map(function -> Long.valueOf(function.group(1)))
                        .distinct()
                        .toList(),
                conversions(list));
    }

    private static String describe(String node) {
        return switch (node) {
            case "SUBLINK", "QUERY" -> "must not contain a subquery";
            case "AGGREF", "GROUPINGFUNC" -> "must not contain an aggregate";
            case "WINDOWFUNC" -> "must not contain a window function";
            case "SQLVALUEFUNCTION" ->
                "must depend only on its row, and not on the time or the session, as CURRENT_DATE and CURRENT_USER do";
            default -> "contains what a derived column cannot (" + node + ')';
        };
    }

    private static List<Conversion> conversions(String list) {
        List<Conversion> conversions = new ArrayList<>();
        Matcher conversion = CONVERSION.matcher(list);
        while (conversion.find()) {
            int end = closing(list, conversion.end());
            Matcher from = TYPE.matcher(list).region(conversion.end(), end);
            Matcher to = RESULT_TYPE.matcher(list).region(end, list.length());
            if (from.find() && to.lookingAt()) {
                conversions.add(new Conversion(Long.parseLong(from.group(1)), Long.parseLong(to.group(1))));
            }
        }
        return conversions;
    }

    /** Returns the index behind the bracket that closes the one at the index. */
    private static int closing(String text, int opening) {
        int depth = 0;
        for (int i = opening; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '\\' -> i++;
                case '(', '{' -> depth++;
                case ')', '}' -> depth--;
                default -> {}
            }
            if (depth == 0) {
                return i + 1;
            }
        }
        return text.length();
    }

    private static ExpressionTree rejected(String fault) {
        return new ExpressionTree(Optional.of(fault), List.of(), List.of());
    }
}
