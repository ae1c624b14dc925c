package dev.tidemark.http.page;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Labels that an enum behind two domains gets or loses while the server runs. Nobody asks for readiness meanwhile. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class EnumLabelTest {

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private void run(String sql) {
        pool.query(sql).executeAndAwait();
    }

    @AfterEach
    void restore() {
        run("delete from boats where id > 2");
    }

    /** The cursor is sealed from a row that has just been read. */
    @ParameterizedTest
    @CsvSource({
        "hail, /api/boats?order=wind&limit=1&cursor=",
        "snow, /v3/boats?order=wind&limit=1&after=",
        "fog,  /api/boats/fresh?order=wind&cursor="
    })
    void aCursorOfARowWithANewLabelIsOpenedAtOnce(String label, String target) {
        run("alter type wind add value '" + label + "' before 'calm'");
        run("insert into boats values (9, '" + label + "')");
        String cursor = target.startsWith("/v3")
                ? Pages.read("/v3/boats?order=wind&limit=2").getString("result.paging.next")
                : Pages.read("/api/boats?order=wind&limit=2").getString("next_cursor");
        when().get(target + cursor).then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mist", "dust"})
    void aFilterWithANewLabelIsAcceptedAtOnce(String label) {
        run("alter type wind add value '" + label + "'");
        run("insert into boats values (9, '" + label + "')");
        assertThat(Pages.read("/api/boats?wind=" + label).getList("items.id")).containsExactly(9);
    }

    @Test
    void aJumpToANewLabelIsAcceptedAtOnce() {
        run("alter type wind add value 'haze'");
        run("insert into boats values (9, 'haze')");
        assertThat(Pages.read("/api/boats?order=wind&from=haze").getList("items.id"))
                .containsExactly(9);
    }

    @Test
    void anExportWithANewLabelIsAcceptedAtOnce() {
        run("alter type wind add value 'rain'");
        run("insert into boats values (9, 'rain')");
        given().accept("application/x-ndjson")
                .get("/api/boats?wind=rain")
                .then()
                .statusCode(200);
    }

    @Test
    void anUnknownLabelIsAnInvalidFilter() {
        when().get("/api/boats?wind=none").then().statusCode(400).body("code", is("invalid_filter"));
    }

    @Test
    void aRenamedLabelCausesNoInternalError() {
        String cursor = Pages.read("/api/boats?limit=1").getString("next_cursor");
        run("alter type wind rename value 'storm' to 'gale'");
        try {
            when().get("/api/boats?limit=1&cursor=" + cursor).then().statusCode(not(500));
            when().get("/api/boats?wind=storm").then().statusCode(not(500));
        } finally {
            run("alter type wind rename value 'gale' to 'storm'");
        }
    }
}
