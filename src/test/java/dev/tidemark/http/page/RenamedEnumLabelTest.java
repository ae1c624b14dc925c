package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.RawRequest;
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
        String cursor =
                JsonDocument.of(RawRequest.get("/api/boats?limit=1").body()).getString("next_cursor");
        pool.query("alter type wind rename value 'storm' to 'gale'").executeAndAwait();
        assertThat(RawRequest.get("/api/boats?limit=1&cursor=" + cursor).status())
                .isNotEqualTo(500);
        assertThat(RawRequest.get("/api/boats?wind=storm").status()).isNotEqualTo(500);
    }
}
