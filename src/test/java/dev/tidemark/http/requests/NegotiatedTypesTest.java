package dev.tidemark.http.requests;

import static io.restassured.RestAssured.given;

import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class NegotiatedTypesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json;q=0",
                "application/json; q=0.000",
                "Application/JSON;charset=utf-8;Q=0",
                "*/*;q=0",
                "application/*;q=0, text/html",
                "text/html, */*;q=0",
                "application/json;q=0, text/html",
                "application/json;q=0, */*",
                "application/*, application/json; q=0.0"
            })
    void aWeightOfZeroRejectsJson(String accept) {
        given().header("Accept", accept).when().get("/api/letters").then().statusCode(406);
    }

    @Test
    void severalAcceptHeadersAreOneList() {
        given().header("Accept", "text/html", "application/json")
                .when()
                .get("/api/letters?limit=1")
                .then()
                .statusCode(200);
        given().header("Accept", "text/html", "application/x-ndjson")
                .when()
                .get("/api/letters?limit=1")
                .then()
                .statusCode(200);
        given().header("Accept", "text/html", "application/x-ndjson")
                .when()
                .get("/v3/letters?limit=1")
                .then()
                .statusCode(406);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json;q=0.01",
                "*/*;q=0, application/json",
                "application/json, */*;q=0",
                "text/html;q=0, */*",
                "application/json;q=high",
                "application/json;charset=\"",
                "*/*, application/json;x=\"",
                "*/*"
            })
    void jsonIsSentIfTheMostSpecificMediaRangeAcceptsIt(String accept) {
        given().header("Accept", accept).when().get("/api/letters").then().statusCode(200);
    }
}
