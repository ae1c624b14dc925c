package dev.tidemark.http.query;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Embed;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Parses the parameter {@code fields}. */
public final class FieldNames {

    private FieldNames() {}

    /** Returns the names of the members of an item: those of the columns, and then those of the embeds. */
    public static List<String> all(Feed feed) {
        return Stream.concat(
                        feed.columns().stream().map(Column::name),
                        feed.embeds().stream().map(Embed::name))
                .toList();
    }

    /**
     * @param names names of columns and embeds, separated by commas
     * @throws Problem {@code invalid_fields} if a name is unknown or listed twice
     */
    public static Set<String> parse(Feed feed, String names) {
        Set<String> fields = new LinkedHashSet<>();
        for (String name : names.split(",", -1)) {
            if (feed.columns().stream().noneMatch(column -> column.name().equals(name))
                    && feed.embeds().stream().noneMatch(embed -> embed.name().equals(name))) {
                throw invalid("fields must be a list of these columns: " + String.join(",", all(feed)));
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
