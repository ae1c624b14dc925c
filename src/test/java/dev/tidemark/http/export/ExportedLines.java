package dev.tidemark.http.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The complete lines of an export. If the export was interrupted within a line, that line is left out. */
public record ExportedLines(List<JsonNode> all) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static ExportedLines of(String body) {
        List<JsonNode> lines = new ArrayList<>();
        for (int start = 0, end; (end = body.indexOf('\n', start)) >= 0; start = end + 1) {
            try {
                lines.add(JSON.readTree(body.substring(start, end)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new ExportedLines(lines);
    }

    JsonNode list() {
        return all.get(0).required("list");
    }

    public List<JsonNode> items() {
        return all.stream()
                .filter(line -> line.has("item"))
                .map(line -> line.get("item"))
                .toList();
    }

    public List<String> ids() {
        return items().stream().map(item -> item.required("id").asText()).toList();
    }

    /** The ids of the items up to the last line with a cursor. */
    public List<String> idsBeforeLastCursor() {
        int last = lastCursorLine();
        return new ExportedLines(all.subList(0, last + 1)).ids();
    }

    public String lastCursor() {
        return all.get(lastCursorLine()).get("cursor").asText();
    }

    private int lastCursorLine() {
        int last = all.size() - 1;
        while (!all.get(last).has("cursor")) {
            last--;
        }
        return last;
    }

    public boolean isComplete() {
        return last().has("end");
    }

    JsonNode end() {
        return last().required("end");
    }

    JsonNode problem() {
        return last().required("problem");
    }

    private JsonNode last() {
        return all.get(all.size() - 1);
    }

    ExportedLines assertComplete() {
        assertThat(last().fieldNames()).toIterable().containsExactly("end");
        assertThat(end().get("items").asInt()).isEqualTo(items().size());
        return this;
    }
}
