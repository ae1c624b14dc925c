package dev.tidemark.http.json;

/**
 * Reads an array as PostgreSQL writes it, {@code {1,NULL,"a \"b\"",{…}}}, and writes it as JSON's. Lower bounds, as in
 * {@code [0:1]={…}}, have no place in JSON and are left out.
 */
final class ArrayText {

    private final String text;
    private int at;

    private ArrayText(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /** @throws IllegalStateException when the text is no array, which the database does not write */
    static void write(JsonBytes json, String text, ElementWriter elements) {
        int start = text.startsWith("[") ? text.indexOf('=') + 1 : 0;
        ArrayText array = new ArrayText(text, start);
        array.array(json, elements);
        if (array.at != text.length()) {
            throw new IllegalStateException("text behind an array");
        }
    }

    private void array(JsonBytes json, ElementWriter elements) {
        expect('{');
        json.raw('[');
        while (peek() != '}') {
            value(json, elements);
            if (peek() == ',') {
                json.raw(',');
                at++;
            }
        }
        at++;
        json.raw(']');
    }

    private void value(JsonBytes json, ElementWriter elements) {
        if (peek() == '{') {
            array(json, elements);
        } else if (peek() == '"') {
            elements.write(json, quoted());
        } else {
            String element = bare();
            // Only without quotes: the text NULL comes in quotes.
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

    /** Without quotes PostgreSQL writes only what has no delimiter, quote, backslash, brace or space. */
    private String bare() {
        int start = at;
        while (peek() != ',' && peek() != '}') {
            at++;
        }
        return text.substring(start, at);
    }

    private char peek() {
        if (at >= text.length()) {
            throw new IllegalStateException("an array without its end");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new IllegalStateException("no array");
        }
        at++;
    }
}
