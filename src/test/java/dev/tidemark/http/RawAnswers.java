package dev.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers one behind the other, as they came over a connection. */
public final class RawAnswers {

    /** Who has named a protocol that there is not is told so in its own words, by the HTTP layer. */
    private static final Pattern LINE =
            Pattern.compile("(?:HTTP/1\\.[01] ([1-5]\\d\\d)|\\S+/\\d+\\.\\d+ ([45]\\d\\d))(?: [\\x20-\\x7e]*)?");

    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)\\r?$");

    /** What another protocol than HTTP/1 begins with. */
    private static final Pattern FRAME = Pattern.compile("(?s)\\A\\x00\\x00.[\\x00-\\x09].*");

    private RawAnswers() {}

    /**
     * @return the status of each; {@code none} where there is no answer
     * @throws AssertionError if something of it is no answer of HTTP, or one that nobody should get
     */
    public static List<String> statuses(String bytes) {
        List<String> statuses = new ArrayList<>();
        String rest = bytes;
        while (!rest.isEmpty() && !FRAME.matcher(rest).matches()) {
            int end = rest.indexOf("\r\n\r\n");
            // The connection may have ended in the middle of it.
            String head = end < 0 ? rest : rest.substring(0, end);
            Matcher line = LINE.matcher(head.lines().findFirst().orElseThrow());
            assertThat(line.matches()).as("a status line").isTrue();
            String status = line.group(1) == null ? line.group(2) : line.group(1);
            statuses.add(status);
            assertThat(status).isNotIn("500", "502", "504");
            String body = end < 0 ? "" : body(head, rest.substring(end + 4));
            assertThat(body).doesNotContainPattern(ResponseContract.INSIDE);
            rest = end < 0 ? "" : rest.substring(end + 4 + body.length());
        }
        return statuses.isEmpty() ? List.of(bytes.isEmpty() ? "none" : "frames") : statuses;
    }

    private static String body(String head, String rest) {
        Matcher length = LENGTH.matcher(head);
        if (length.find()) {
            return rest.substring(0, Math.min(rest.length(), Integer.parseInt(length.group(1))));
        }
        // An answer whose length is not told goes on to the connection's end.
        return head.toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked") ? rest : "";
    }
}
