package dev.tidemark.http.json;

/**
 * Converts the JSON value at the end of a buffer to a field of CSV, in place, so that values have one form in all
 * formats.
 */
final class CsvFields {

    private CsvFields() {}

    /** Converts a string to its text, and any other value to its JSON text. */
    static void convertValue(JsonBytes buffer, int start) {
        byte[] bytes = buffer.array();
        if (bytes[start] != '"') {
            quote(buffer, start);
            return;
        }
        int textStart = start + 1;
        int textEnd = buffer.length() - 1;
        boolean hasComma = false;
        for (int i = textStart; i < textEnd; i++) {
            if (bytes[i] == '\\') {
                buffer.truncate(JsonEscapes.unescape(bytes, textStart, textEnd, start));
                quote(buffer, start);
                return;
            }
            hasComma |= bytes[i] == ',';
        }
        // Without escapes, the quotes of JSON are those of CSV. An empty string keeps them, because NULL has none.
        if (!hasComma && textStart < textEnd) {
            System.arraycopy(bytes, textStart, bytes, start, textEnd - textStart);
            buffer.truncate(textEnd - 1);
        }
    }

    /** Puts the text from {@code start} into quotes if it contains what ends a field, and doubles the quotes in it. */
    static void quote(JsonBytes buffer, int start) {
        byte[] bytes = buffer.array();
        int end = buffer.length();
        int quoteCount = 0;
        boolean needsQuotes = false;
        for (int i = start; i < end; i++) {
            byte b = bytes[i];
            if (b == '"') {
                quoteCount++;
            }
            needsQuotes |= b == '"' || b == ',' || b == '\n' || b == '\r';
        }
        // To COPY of PostgreSQL before version 18, the line \. is the end of all data.
        needsQuotes |= end - start == 2 && bytes[start] == '\\' && bytes[start + 1] == '.';
        if (!needsQuotes) {
            return;
        }
        buffer.lengthen(2 + quoteCount);
        byte[] quoted = buffer.array();
        int target = buffer.length() - 1;
        quoted[target--] = '"';
        for (int i = end - 1; i >= start; i--) {
            byte b = quoted[i];
            quoted[target--] = b;
            if (b == '"') {
                quoted[target--] = '"';
            }
        }
        quoted[target] = '"';
    }
}
