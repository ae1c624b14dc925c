package dev.tidemark.tracing;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestFeedsResource;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The spans that are exported for a request. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
@TestProfile(TracingTest.Traced.class)
class TracingTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";

    @Inject
    InMemorySpanExporter exporter;

    @BeforeEach
    void reset() {
        exporter.reset();
    }

    @Test
    @Timeout(20)
    void aRequestAndItsStatementAreSpansOfTheCallersTrace() {
        page("01");
        SpanData request = awaitSpan(SpanKind.SERVER);
        SpanData statement = awaitSpan(SpanKind.CLIENT);
        assertThat(request.getTraceId()).isEqualTo(TRACE);
        assertThat(request.getParentSpanId()).isEqualTo(CALLER);
        assertThat(request.getName()).isEqualTo("GET /api/{feed}");
        assertThat(statement.getTraceId()).isEqualTo(TRACE);
        assertThat(statement.getParentSpanId()).isEqualTo(request.getSpanId());
    }

    @Test
    @Timeout(20)
    void spansContainNeitherFilterValuesNorClientAddresses() {
        page("01");
        SpanData request = awaitSpan(SpanKind.SERVER);
        SpanData statement = awaitSpan(SpanKind.CLIENT);
        assertThat(request.getAttributes().get(AttributeKey.stringKey("url.query")))
                .isEqualTo(SpanRedactor.REDACTED);
        assertThat(request.toString()).contains("/api/letters").doesNotContain("looked-for", "127.0.0.1");
        assertThat(statement.toString()).contains("ILIKE $1").doesNotContain("looked-for");
    }

    @Test
    void aRequestThatIsNotSampledHasNoSpan() {
        page("00");
        page("01");
        awaitSpan(SpanKind.SERVER);
        assertThat(exporter.getFinishedSpanItems())
                .filteredOn(span -> span.getKind() == SpanKind.SERVER)
                .hasSize(1);
    }

    /** @param sampled the sampled flag of the traceparent header */
    private static void page(String sampled) {
        given().header("traceparent", "00-" + TRACE + '-' + CALLER + '-' + sampled)
                .when()
                .get("/api/letters?subject.contains=looked-for")
                .then()
                .statusCode(200);
    }

    /** Waits for a span of this kind, because spans are exported with a delay. */
    private SpanData awaitSpan(SpanKind kind) {
        while (true) {
            var found = exporter.getFinishedSpanItems().stream()
                    .filter(span -> span.getKind() == kind && span.getTraceId().equals(TRACE))
                    .findAny();
            if (found.isPresent()) {
                return found.get();
            }
            Thread.onSpinWait();
        }
    }

    public static class Traced implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "quarkus.otel.sdk.disabled", "false",
                    "quarkus.otel.bsp.schedule.delay", "50ms",
                    "quarkus.otel.traces.exporter", "cdi");
        }
    }

    @Singleton
    static class ExporterProducer {
        @Produces
        @Singleton
        InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }
    }
}
