package dev.tidemark.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Splits a JSON object into its members, or an array into its elements, each as JSON text. Finds where each member or
 * element ends, and does not check the syntax of nested values: the {@link ItemMapper} parses them.
 */
final class JsonText {

    private final String text;
    private int index;

    private JsonText(String text) {
        this.text = text;
    }

    /**
     * Returns the members of an object, each with the JSON text of its value.
     *
     * @throws IllegalArgumentException if the text is not an object
     */
    static Map<String, String> members(String object) {
        JsonText json = new JsonText(object);
        Map<String, String> members = new HashMap<>();
        json.require('{');
        if (!json.skipIf('}')) {
            do {
                String name = string(json.nextValue());
                json.require(':');
                members.put(name, json.nextValue());
            } while (json.skipIf(','));
            json.require('}');
        }
        json.requireEnd();
        return members;
    }

    /**
     * Returns the JSON text of each of the elements of an array.
     *
     * @throws IllegalArgumentException if the text is not an array
     */
    static List<String> elements(String array) {
        JsonText json = new JsonText(array);
        List<String> elements = new ArrayList<>();
        json.require('[');
        if (!json.skipIf(']')) {
            do {
                elements.add(json.nextValue());
            } while (json.skipIf(','));
            json.require(']');
        }
        json.requireEnd();
        return elements;
    }

    /**
     * Returns the characters of a JSON string.
     *
     * @throws IllegalArgumentException if the text is not a string
     */
    static String string(String literal) {
        if (literal.length() < 2 || literal.charAt(0) != '"') {
            throw new IllegalArgumentException("not a JSON string: " + literal);
        }
        String escaped = literal.substring(1, literal.length() - 1);
        return escaped.indexOf('\\') < 0 ? escaped : unescape(escaped);
    }

    private static String unescape(String escaped) {
        StringBuilder characters = new StringBuilder(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c == '\\') {
                c = escaped.charAt(++i);
                if (c == 'u') {
                    c = (char) Integer.parseInt(escaped, i + 1, i + 5, 16);
                    i += 4;
                } else {
                    c = switch (c) {
                        case 'b' -> '\b';
                        case 'f' -> '\f';
                        case 'n' -> '\n';
                        case 'r' -> '\r';
                        case 't' -> '\t';
                        default -> c;
                    };
                }
            }
            characters.append(c);
        }
        return characters.toString();
    }

    /** Skips a value and returns its text. Counts brackets instead of recursing, so that the stack cannot overflow. */
    private String nextValue() {
        skipSpace();
        int start = index;
        int depth = 0;
        do {
            switch (current()) {
                case '"' -> skipString();
                case '{', '[' -> {
                    depth++;
                    index++;
                }
                case '}', ']' -> {
                    depth--;
                    index++;
                }
                default -> skipScalar(depth > 0);
            }
        } while (depth > 0);
        if (depth < 0 || index == start) {
            throw malformed(start);
        }
        return text.substring(start, index);
    }

    private void skipString() {
        index++;
        while (current() != '"') {
            index += current() == '\\' ? 2 : 1;
        }
        index++;
    }

    /**
     * Skips a number or a literal name such as {@code true}. Inside an object or array, also skips the commas, colons,
     * and white space around it.
     */
    private void skipScalar(boolean isNested) {
        while (index < text.length() && (isNested ? "\"{}[]" : ",:\"{}[] \t\n\r").indexOf(text.charAt(index)) < 0) {
            index++;
        }
    }

    private void skipSpace() {
        while (index < text.length() && " \t\n\r".indexOf(text.charAt(index)) >= 0) {
            index++;
        }
    }

    private char current() {
        if (index >= text.length()) {
            throw malformed(index);
        }
        return text.charAt(index);
    }

    private boolean skipIf(char c) {
        skipSpace();
        boolean found = current() == c;
        if (found) {
            index++;
        }
        return found;
    }

    private void require(char c) {
        if (!skipIf(c)) {
            throw malformed(index);
        }
    }

    private void requireEnd() {
        skipSpace();
        if (index < text.length()) {
            throw malformed(index);
        }
    }

    private static IllegalArgumentException malformed(int position) {
        return new IllegalArgumentException("malformed JSON at character " + position);
    }
}
