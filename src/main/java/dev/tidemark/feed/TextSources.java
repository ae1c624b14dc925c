package dev.tidemark.feed;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the text of values depends on, apart from the rows that contain them. The values of a column can contain values
 * of other types at any depth: the elements of arrays, the attributes of composite types, and the bounds of ranges.
 *
 * @param enums the OIDs of the enums, whose labels can be renamed
 * @param rowTypes the OIDs of the relations of the composite types, whose attributes can be added and dropped
 * @param unbounded whether the text depends on more than that: on the name of any object, as for {@code regclass}, on
 *     a setting, as for {@code money}, or on a function that the type's owner has made its cast to text
 */
public record TextSources(List<Long> enums, List<Long> rowTypes, boolean unbounded) {

    public static final TextSources NONE = new TextSources(List.of(), List.of(), false);

    public TextSources {
        enums = List.copyOf(enums);
        rowTypes = List.copyOf(rowTypes);
    }

    /** Returns the sources of the values of several columns, in ascending order of their OIDs. */
    public static TextSources union(Collection<TextSources> sources) {
        return new TextSources(
                distinct(sources.stream().flatMap(each -> each.enums().stream())),
                distinct(sources.stream().flatMap(each -> each.rowTypes().stream())),
                sources.stream().anyMatch(TextSources::unbounded));
    }

    private static List<Long> distinct(Stream<Long> oids) {
        return oids.distinct().sorted().toList();
    }
}
