package dev.tidemark.http.live;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Splits JSON without decoding its values, so that they can be compared byte for byte. */
final class RawJson {

    private static final JsonFactory JSON = new JsonFactory();

    private RawJson() {}

    static List<String> elements(String array) {
        List<String> elements = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(array)) {
            expect(parser.nextToken(), JsonToken.START_ARRAY, array);
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(value(parser, array));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return elements;
    }

    static Map<String, String> members(String object) {
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(object)) {
            expect(parser.nextToken(), JsonToken.START_OBJECT, object);
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                if (members.put(name, value(parser, object)) != null) {
                    throw new AssertionError("twice " + name + " in " + object);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return members;
    }

    private static String value(JsonParser parser, String json) throws IOException {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        // Reads the token to its end.
        parser.skipChildren();
        parser.getText();
        return json.substring(start, (int) parser.currentLocation().getCharOffset());
    }

    private static void expect(JsonToken token, JsonToken expected, String json) {
        if (token != expected) {
            throw new AssertionError("not " + expected + ": " + json);
        }
    }
}
