package dev.tidemark.http.page;

import static io.restassured.RestAssured.when;
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

/** A cursor or filter with a label that no longer belongs to the column's enum does not cause an internal error. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class RenamedEnumLabelTest {

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    @AfterEach
    void renameBack() {
        pool.query("alter type wind rename value 'gale' to 'storm'").executeAndAwait();
    }

    @Test
    void aRenamedEnumLabelCausesNoInternalError() {
        String cursor = Pages.read("/api/boats?limit=1").getString("next_cursor");
        pool.query("alter type wind rename value 'storm' to 'gale'").executeAndAwait();
        when().get("/api/boats?limit=1&cursor=" + cursor).then().statusCode(not(500));
        when().get("/api/boats?wind=storm").then().statusCode(not(500));
    }
}
