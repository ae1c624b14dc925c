package dev.tidemark.http.query;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Feed;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.naming.ParameterNames;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses the parameter {@code fields}. */
public final class FieldNames {

    private FieldNames() {}

    /**
     * @param names names of columns, separated by commas
     * @throws Problem {@code invalid_fields} if a name is unknown or listed twice
     */
    public static Set<String> parse(Feed feed, String names) {
        Set<String> fields = new LinkedHashSet<>();
        for (String name : names.split(",", -1)) {
            if (feed.columns().stream().noneMatch(column -> column.name().equals(name))) {
                throw invalid("fields must be a list of these columns: "
                        + feed.columns().stream().map(Column::name).collect(Collectors.joining(",")));
            }
            if (!fields.add(name)) {
                throw invalid("fields lists \"" + name + "\" twice");
            }
        }
        return fields;
    }

    private static Problem invalid(String why) {
        return Problem.ofParameter(ParameterNames.FIELDS, ProblemCode.INVALID_FIELDS, why);
    }
}
