package dev.tidemark.naming;

import java.util.Collection;
import java.util.Comparator;

/** Finds the known name that is nearest to an unknown one: the one with the smallest Levenshtein distance. */
public final class NearestName {

    /** Only this many characters of the unknown name are compared, which bounds the work per request. */
    private static final int MAX_CHARS = 64;

    /**
     * A known name is near an unknown one if their distance is at most this number, or at most a third of the longer
     * name's length. A known name that starts with the unknown one is near, too.
     */
    private static final int MAX_CHANGES = 2;

    private NearestName() {}

    /** Returns the end of a sentence that suggests the nearest name; an empty string if no name is near. */
    public static String hint(String unknownName, Collection<String> names) {
        if (names.isEmpty()) {
            return "";
        }
        String nearest = find(unknownName, names);
        return isNear(unknownName, nearest) ? "; the nearest name is " + nearest : "";
    }

    private static boolean isNear(String unknownName, String name) {
        return distance(truncate(unknownName), name)
                        <= Math.max(MAX_CHANGES, Math.max(truncate(unknownName).length(), name.length()) / 3)
                || !unknownName.isEmpty() && name.startsWith(unknownName);
    }

    /** @param names at least one name; if several are equally near, the first one is returned */
    public static String find(String unknownName, Collection<String> names) {
        String text = truncate(unknownName);
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(text, name)))
                .orElseThrow();
    }

    private static String truncate(String name) {
        return name.substring(0, Math.min(name.length(), MAX_CHARS));
    }

    /** The Levenshtein distance, computed with a single row of the matrix. */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[row.length - 1];
    }
}
