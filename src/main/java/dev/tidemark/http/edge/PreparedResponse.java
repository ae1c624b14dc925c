package dev.tidemark.http.edge;

import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemResponses;
import java.nio.charset.StandardCharsets;

/**
 * The text of an HTTP/1.1 response to a problem, without the path and the id of the request. It is the same as that of
 * {@link RequestGate#reject}, at a fraction of the cost.
 */
final class PreparedResponse {

    /** Stand for the path and the id. Neither can contain these characters. */
    private static final String PATH = "<path>";

    private static final String ID = "<id>";

    private final String head;
    private final String body;

    /** @param root the root of the paths of the protocol, such as {@code /api/} */
    PreparedResponse(Problem problem, String root) {
        ProblemResponses.Response response = ProblemResponses.responseTo(problem, root + PATH, ID);
        StringBuilder headers = new StringBuilder("HTTP/1.1 " + response.status() + " Service Unavailable\r\n");
        BrowserHeaders.appendTo(headers);
        response.headers().forEach((name, value) -> append(headers, name, value));
        this.head = headers.append("content-length: ").toString();
        this.body = new String(response.body(), StandardCharsets.US_ASCII);
    }

    static void append(StringBuilder headers, CharSequence name, CharSequence value) {
        headers.append(name).append(": ").append(value).append("\r\n");
    }

    /**
     * @param feed the part of the path after the root, in characters that JSON does not escape
     * @param id a well-formed request id
     */
    byte[] bytes(String feed, String id) {
        String content = body.replace(PATH, feed).replace(ID, id);
        return (head.replace(ID, id) + content.length() + "\r\n\r\n" + content).getBytes(StandardCharsets.US_ASCII);
    }
}
