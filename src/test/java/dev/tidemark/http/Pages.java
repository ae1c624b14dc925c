package dev.tidemark.http;

import static io.restassured.RestAssured.get;

import io.restassured.response.Response;

/** Reads pages of the server under test. */
public final class Pages {

    private Pages() {}

    /**
     * The JSON of a page, which must have status 200. For tests that read many pages or many members: unlike REST
     * Assured, {@link JsonDocument} compiles no script for each path.
     *
     * @param target a path with its query, such as {@code /api/letters?limit=1}
     */
    public static JsonDocument read(String target) {
        Response page = get(target);
        if (page.statusCode() != 200) {
            throw new AssertionError(target + ": " + page.statusCode() + ' ' + page.asString());
        }
        return JsonDocument.of(page);
    }
}
