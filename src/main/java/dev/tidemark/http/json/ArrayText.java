package dev.tidemark.http.json;

/**
 * Parses a PostgreSQL array in text form, such as {@code {"a \"b\"",NULL,c}}, and writes it as a JSON array. Lower
 * bounds, as in {@code [0:1]={…}}, are dropped because JSON cannot express them.
 */
final class ArrayText {

    private final String text;
    private int index;

    private ArrayText(String text, int index) {
        this.text = text;
        this.index = index;
    }

    /** @throws IllegalStateException if the text does not have this form */
    static void write(JsonBytes json, String text, ElementWriter elements) {
        int start = text.startsWith("[") ? text.indexOf('=') + 1 : 0;
        ArrayText array = new ArrayText(text, start);
        array.writeArray(json, elements);
        if (array.index != text.length()) {
            throw new IllegalStateException("unexpected text after an array");
        }
    }

    private void writeArray(JsonBytes json, ElementWriter elements) {
        expect('{');
        json.raw('[');
        while (peek() != '}') {
            writeValue(json, elements);
            if (peek() == ',') {
                json.raw(',');
                index++;
            }
        }
        index++;
        json.raw(']');
    }

    private void writeValue(JsonBytes json, ElementWriter elements) {
        if (peek() == '{') {
            writeArray(json, elements);
        } else if (peek() == '"') {
            elements.write(json, readQuoted());
        } else {
            String element = readUnquoted();
            // An unquoted NULL is SQL NULL; the string "NULL" is quoted.
            if (element.equals("NULL")) {
                json.nullValue();
            } else {
                elements.write(json, element);
            }
        }
    }

    private String readQuoted() {
        index++;
        StringBuilder element = new StringBuilder();
        while (peek() != '"') {
            if (peek() == '\\') {
                index++;
            }
            element.append(peek());
            index++;
        }
        index++;
        return element.toString();
    }

    /**
     * Reads an unquoted element. PostgreSQL leaves an element unquoted only if it contains no delimiter, double quote,
     * backslash, brace or white space.
     */
    private String readUnquoted() {
        int start = index;
        while (peek() != ',' && peek() != '}') {
            index++;
        }
        return text.substring(start, index);
    }

    private char peek() {
        if (index >= text.length()) {
            throw new IllegalStateException("unterminated array");
        }
        return text.charAt(index);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new IllegalStateException("not an array");
        }
        index++;
    }
}
