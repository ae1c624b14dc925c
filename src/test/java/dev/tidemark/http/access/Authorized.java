package dev.tidemark.http.access;

import static io.restassured.RestAssured.given;

import dev.tidemark.http.JsonDocument;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.ArrayList;
import java.util.List;

/** Requests with a token. */
final class Authorized {

    private Authorized() {}

    /** @param authorization the value of the header */
    static RequestSpecification as(String authorization) {
        return given().header("Authorization", authorization);
    }

    static JsonDocument read(String authorization, String target) {
        Response page = as(authorization).when().get(target);
        page.then().statusCode(200);
        return JsonDocument.of(page);
    }

    /** Returns the ids of all items, in the order of the scroll. */
    static List<String> scroll(String target, String authorization) {
        List<String> ids = new ArrayList<>();
        JsonDocument page = read(authorization, target);
        ids.addAll(page.getList("items.id", String.class));
        while (page.getBoolean("has_more")) {
            page = read(authorization, target + "&cursor=" + page.getString("next_cursor"));
            ids.addAll(page.getList("items.id", String.class));
        }
        return ids;
    }
}
