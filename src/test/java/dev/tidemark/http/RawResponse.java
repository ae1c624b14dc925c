package dev.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A response as it was received.
 *
 * @param head the status line and the headers
 */
public record RawResponse(int status, String head, String body) {

    /**
     * If a request names an unknown protocol, the HTTP layer rejects it with a status line that names that protocol
     * too.
     */
    private static final Pattern STATUS_LINE =
            Pattern.compile("(?:HTTP/1\\.[01] ([1-5]\\d\\d)|\\S+/\\d+\\.\\d+ ([45]\\d\\d))(?: [\\x20-\\x7e]*)?");

    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)\\r?$");

    /** Parses everything that a server sent over a connection that carried one request. */
    static RawResponse of(String bytes) {
        int end = bytes.indexOf("\r\n\r\n");
        return new RawResponse(
                Integer.parseInt(bytes.split(" ", 3)[1]), bytes.substring(0, end), bytes.substring(end + 4));
    }

    public Optional<String> header(String name) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    /**
     * The statuses of several responses in a row.
     *
     * @return only {@code none} if nothing was received
     * @throws AssertionError if the bytes are not HTTP responses, or if a response has a status or text that no client
     *     should get
     */
    public static List<String> statuses(String bytes) {
        List<String> statuses = new ArrayList<>();
        String rest = bytes;
        while (!rest.isEmpty()) {
            int end = rest.indexOf("\r\n\r\n");
            // The connection can end within a head.
            String head = end < 0 ? rest : rest.substring(0, end);
            Matcher line = STATUS_LINE.matcher(head.lines().findFirst().orElseThrow());
            assertThat(line.matches()).as("a status line").isTrue();
            String status = line.group(1) == null ? line.group(2) : line.group(1);
            statuses.add(status);
            assertThat(status).isNotIn("500", "502", "504");
            String body = end < 0 ? "" : body(head, rest.substring(end + 4));
            assertThat(body).doesNotContainPattern(ResponseContract.INTERNALS);
            rest = end < 0 ? "" : rest.substring(end + 4 + body.length());
        }
        return statuses.isEmpty() ? List.of("none") : statuses;
    }

    private static String body(String head, String rest) {
        Matcher length = LENGTH.matcher(head);
        if (length.find()) {
            return rest.substring(0, Math.min(rest.length(), Integer.parseInt(length.group(1))));
        }
        // A body in chunks is assumed to be the last one before the connection ends. A response without a length or
        // chunks has no body.
        return head.toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked") ? rest : "";
    }
}
