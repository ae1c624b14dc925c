package dev.tidemark.http.json;

/**
 * Parses a PostgreSQL array in text form, such as {@code {1,NULL,"a \"b\"",{…}}}, and writes it as a JSON array. Lower
 * bounds, as in {@code [0:1]={…}}, are dropped because JSON cannot express them.
 */
final class ArrayText {

    private final String text;
    private int at;

    private ArrayText(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /** @throws IllegalStateException if the text is not an array; PostgreSQL never returns such a text */
    static void write(JsonBytes json, String text, ElementWriter elements) {
        int start = text.startsWith("[") ? text.indexOf('=') + 1 : 0;
        ArrayText array = new ArrayText(text, start);
        array.writeArray(json, elements);
        if (array.at != text.length()) {
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
                at++;
            }
        }
        at++;
        json.raw(']');
    }

    private void writeValue(JsonBytes json, ElementWriter elements) {
        if (peek() == '{') {
            writeArray(json, elements);
        } else if (peek() == '"') {
            elements.write(json, quoted());
        } else {
            String element = unquoted();
            // Only the unquoted NULL is null; the text NULL is quoted.
            if (element.equals("NULL")) {
                json.nullValue();
            } else {
                elements.write(json, element);
            }
        }
    }

    private String quoted() {
        at++;
        StringBuilder element = new StringBuilder();
        while (peek() != '"') {
            if (peek() == '\\') {
                at++;
            }
            element.append(peek());
            at++;
        }
        at++;
        return element.toString();
    }

    /**
     * Reads an unquoted element. PostgreSQL leaves an element unquoted only if it contains no delimiter, quote,
     * backslash, brace or white space.
     */
    private String unquoted() {
        int start = at;
        while (peek() != ',' && peek() != '}') {
            at++;
        }
        return text.substring(start, at);
    }

    private char peek() {
        if (at >= text.length()) {
            throw new IllegalStateException("unterminated array");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new IllegalStateException("not an array");
        }
        at++;
    }
}
