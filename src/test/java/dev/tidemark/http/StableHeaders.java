package dev.tidemark.http;

import io.restassured.http.Header;
import io.restassured.response.Response;
import java.util.Map;
import java.util.TreeMap;

/** The headers of a response except Server-Timing, which differs from one read to the next. */
public final class StableHeaders {

    private StableHeaders() {}

    /** @return a modifiable map, whose keys are not case-sensitive */
    public static Map<String, String> of(Response response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Header header : response.headers()) {
            headers.put(header.getName(), header.getValue());
        }
        headers.remove("Server-Timing");
        return headers;
    }
}
