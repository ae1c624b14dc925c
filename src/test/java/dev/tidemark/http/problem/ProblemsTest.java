package dev.tidemark.http.problem;

import static dev.tidemark.http.problem.ProblemCode.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.cursor.Sealers;
import dev.tidemark.feed.Feed;
import dev.tidemark.feed.Feeds;
import dev.tidemark.feed.ListState;
import dev.tidemark.http.ApiDescription;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.fresh.FreshFeedsProfile;
import dev.tidemark.paging.Continuation;
import dev.tidemark.paging.Direction;
import dev.tidemark.paging.Gap;
import dev.tidemark.paging.Position;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class ProblemsTest {

    @Inject
    Feeds feeds;

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    static Stream<Arguments> requests() {
        String values = IntStream.range(0, 51).mapToObj(i -> "id=" + i).collect(Collectors.joining("&"));
        return Stream.of(
                arguments("/api/letters/fresh", MISSING_PARAMETER, "cursor"),
                arguments("/api/letters?limit=0", INVALID_LIMIT, "limit"),
                arguments("/api/letters?limit=-5", INVALID_LIMIT, "limit"),
                arguments("/api/letters?limit=-99999999999999999999", INVALID_LIMIT, "limit"),
                arguments("/api/letters?limit=", INVALID_LIMIT, "limit"),
                arguments("/api/letters?limit", INVALID_LIMIT, "limit"),
                arguments("/api/letters?limit=1.5", INVALID_LIMIT, "limit"),
                arguments("/api/letters?limit=ten", INVALID_LIMIT, "limit"),
                arguments("/api/letters?limit=%D9%A3", INVALID_LIMIT, "limit"),
                arguments("/api/letters?limit=1&limit=1", CONFLICTING_PARAMETERS, "limit"),
                arguments("/api/letters?cursor=", INVALID_CURSOR, "cursor"),
                arguments("/api/letters?cursor=x", INVALID_CURSOR, "cursor"),
                arguments("/api/letters?cursor=" + "A".repeat(10_000), INVALID_CURSOR, "cursor"),
                arguments("/api/letters?cursor=a&cursor=b", CONFLICTING_PARAMETERS, "cursor"),
                arguments("/api/letters?order=sideways", UNKNOWN_ORDER, "order"),
                arguments("/api/letters?order=", UNKNOWN_ORDER, "order"),
                arguments("/api/letters?order=newest&order=newest", CONFLICTING_PARAMETERS, "order"),
                arguments("/api/letters?fields=", INVALID_FIELDS, "fields"),
                arguments("/api/letters?fields=id,", INVALID_FIELDS, "fields"),
                arguments("/api/letters?fields=id,id", INVALID_FIELDS, "fields"),
                arguments("/api/letters?fields=body", INVALID_FIELDS, "fields"),
                arguments("/api/letters?fields=ID", INVALID_FIELDS, "fields"),
                arguments("/api/letters?status=angry", INVALID_FILTER, "status"),
                arguments("/api/letters?status=", INVALID_FILTER, "status"),
                arguments("/api/letters?id=seven", INVALID_FILTER, "id"),
                arguments("/api/letters?id=9223372036854775808", INVALID_FILTER, "id"),
                arguments("/api/letters?" + values, INVALID_FILTER, "id"),
                arguments("/api/letters?id.gt=", INVALID_FILTER, "id.gt"),
                arguments("/api/letters?id.gt=1&id.gt=2", CONFLICTING_PARAMETERS, "id.gt"),
                arguments("/api/letters?id.is=zero", INVALID_FILTER, "id.is"),
                arguments("/api/letters?sent_at.lt=yesterday", INVALID_FILTER, "sent_at.lt"),
                arguments("/api/letters?subject.prefix=%00", INVALID_FILTER, "subject.prefix"),
                arguments("/api/letters?statsu=ok", UNKNOWN_PARAMETER, "statsu"),
                arguments("/api/letters?Limit=5", UNKNOWN_PARAMETER, "Limit"),
                arguments("/api/letters?status.gt=ok", UNKNOWN_PARAMETER, "status.gt"),
                arguments("/api/letters?body=x", UNKNOWN_PARAMETER, "body"),
                arguments("/api/letters?=5", UNKNOWN_PARAMETER, null),
                arguments("/api/letters?offset=5", NOT_SUPPORTED, "offset"),
                arguments("/api/letters?page=5", NOT_SUPPORTED, "page"),
                arguments("/api/letters?skip=5", NOT_SUPPORTED, "skip"),
                arguments("/api/letters?around=5", INVALID_ANCHOR, "around"),
                arguments("/api/letters?from_id=x", INVALID_ANCHOR, "from_id"),
                arguments("/api/letters?from_id=1&from_id=2", CONFLICTING_PARAMETERS, "from_id"),
                arguments("/api/letters?around_id=1000", ANCHOR_NOT_FOUND, "around_id"),
                arguments("/api/letters?from_id=5&status=sad", ANCHOR_NOT_FOUND, "from_id"),
                arguments("/api/letters?from_id=5&around_id=5", CONFLICTING_PARAMETERS, "around_id"),
                arguments(
                        "/api/letters?from=2026-01-01T00:00:00Z&from=2026-01-01T00:00:00Z",
                        CONFLICTING_PARAMETERS,
                        "from"),
                arguments("/api/letters?from_id=5&cursor=x", CONFLICTING_PARAMETERS, "from_id"),
                arguments("/api/letters?from_id=5&until=x", CONFLICTING_PARAMETERS, "until"),
                arguments("/api/letters?until=x", INVALID_CURSOR, "until"),
                arguments("/api/cards?since=", INVALID_MOMENT, "since"),
                arguments("/api/cards?since=x", INVALID_MOMENT, "since"),
                arguments("/api/cards?since=" + "A".repeat(10_000), INVALID_MOMENT, "since"),
                arguments("/api/cards?since=a&since=b", CONFLICTING_PARAMETERS, "since"),
                arguments("/api/letters?since=x", NOT_SUPPORTED, "since"),
                arguments("/api/letters/fresh?cursor=x&since=x", UNKNOWN_PARAMETER, "since"),
                arguments("/api/letters?count=exact", NOT_SUPPORTED, "count"),
                arguments("/api/essays?limit=2", NOT_SUPPORTED, null),
                arguments("/api?limit=5", UNKNOWN_PARAMETER, "limit"),
                arguments("/api/letter", UNKNOWN_FEED, null),
                arguments("/api/Letters", UNKNOWN_FEED, null),
                arguments("/api/%00", UNKNOWN_FEED, null),
                arguments("/api/letters%2F1", UNKNOWN_FEED, null),
                arguments("/api/letter?limit=0&statsu=ok", UNKNOWN_FEED, null),
                arguments("/nothing", NOT_FOUND, null),
                arguments("/nope", NOT_FOUND, null),
                arguments("/v4/letters", NOT_FOUND, null),
                arguments("/v30", NOT_FOUND, null),
                arguments("/v3/../v4/letters", NOT_FOUND, null),
                arguments("/v3/../api/letters?limit=0", INVALID_LIMIT, "limit"),
                arguments("/api/letters/1", NOT_FOUND, null),
                arguments("/api/letters/1/", NOT_FOUND, null),
                arguments("/index.html", NOT_FOUND, null),
                arguments("/api/letters?status=%zz", MALFORMED_REQUEST, null),
                arguments("/api/letters?status=%", MALFORMED_REQUEST, null),
                arguments("/api/letters?%4", MALFORMED_REQUEST, null),
                arguments("/api/%zz", MALFORMED_REQUEST, null),
                arguments("/%", MALFORMED_REQUEST, null),
                arguments("/api/letters?subject.prefix=%ff", MALFORMED_REQUEST, null),
                arguments("/api/letters?subject.prefix=%ed%a0%80", MALFORMED_REQUEST, null),
                arguments("/api/%c3", MALFORMED_REQUEST, null),
                arguments("/api/letters?subject.prefix=a%7Cb|%", MALFORMED_REQUEST, null),
                arguments("/api/letters?limit=2#&statsu=ok", MALFORMED_REQUEST, null),
                arguments("/api/letters;limit=2", MALFORMED_REQUEST, null),
                arguments("/api/letters?subject.prefix=\u00e9", MALFORMED_REQUEST, null),
                arguments("/api/letters?cursor=" + "A".repeat(17_000), URI_TOO_LONG, null),
                arguments("/" + "a".repeat(17_000), URI_TOO_LONG, null),
                arguments("/api/snails", TIMEOUT, null),
                arguments("/api/outage", UNAVAILABLE, null),
                arguments("/faulty/argument", INTERNAL, null),
                arguments("/faulty/validation", INTERNAL, null));
    }

    static Stream<Arguments> requestsRejectedBeforeTheResource() {
        return Stream.of(
                arguments("POST /api/letters HTTP/1.1", METHOD_NOT_ALLOWED),
                arguments("DELETE /api HTTP/1.1", METHOD_NOT_ALLOWED),
                arguments("PUT /api/letters HTTP/1.1", METHOD_NOT_ALLOWED),
                arguments("POST /api/letters/fresh HTTP/1.1", METHOD_NOT_ALLOWED),
                arguments("GET /api/letters HTTP/1.1\r\nAccept: text/html", NOT_ACCEPTABLE),
                arguments("GET /api HTTP/1.1\r\nAccept: text/html, image/png", NOT_ACCEPTABLE),
                arguments("GET /api/letters HTTP/1.1\r\nAccept: application/json;q=0", NOT_ACCEPTABLE),
                arguments("GET /api/letters HTTP/1.1\r\nContent-Type: ;;", UNSUPPORTED_MEDIA_TYPE),
                arguments("GET /api/letters HTTP/1.1\r\nContent-Type: ", UNSUPPORTED_MEDIA_TYPE),
                arguments("GET /api/letters HTTP/1.1\r\nContent-Type: a/b\r\nContent-Type: ;;", UNSUPPORTED_MEDIA_TYPE),
                arguments("GET /api/letters HTTP/1.1\r\nX-Padding: " + "a".repeat(17_000), HEADERS_TOO_LARGE),
                arguments("POST /api/letters HTTP/1.1\r\nContent-Length: 11000000", CONTENT_TOO_LARGE));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void anInvalidRequestGetsItsProblem(String target, ProblemCode code, String parameter) {
        RawResponse answer = RawRequest.get(target);
        assertProblem(answer, code);
        assertThat(JsonDocument.of(answer.body()).getString("parameter")).isEqualTo(parameter);
    }

    @ParameterizedTest
    @MethodSource("requestsRejectedBeforeTheResource")
    void aRequestRejectedBeforeTheResourceGetsItsProblem(String request, ProblemCode code) {
        assertProblem(RawRequest.send(request), code);
    }

    /** The two problems that need restricted access are not tested here but in AccessTest. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNAUTHORIZED", "FORBIDDEN"})
    void everyProblemIsProvoked(ProblemCode code) throws Exception {
        RawResponse answer = provoke(code);
        assertProblem(answer, code);
        if (code != METHOD_NOT_ALLOWED) {
            assertThat(withoutMembersOfTheRequest(ApiDescription.problemExample(code.wireName())))
                    .as("the example in the OpenAPI document")
                    .isEqualTo(withoutMembersOfTheRequest(new ObjectMapper().readTree(answer.body())));
        }
    }

    private static JsonNode withoutMembersOfTheRequest(JsonNode problem) {
        return ((ObjectNode) problem).remove(List.of("instance", "request_id"));
    }

    private RawResponse provoke(ProblemCode code) throws Exception {
        return switch (code) {
            case CURSOR_MISMATCH -> RawRequest.get("/api/letters?order=oldest&cursor=" + cursorOfTheDefaultOrder());
            case CURSOR_EXPIRED -> RawRequest.get("/api/letters?cursor=" + cursorWithoutAnIssueTime());
            case FEED_UNAVAILABLE -> {
                pool.query("drop table if exists vanished").executeAndAwait();
                yield RawRequest.get("/api/vanished");
            }
            case OVERLOADED -> overload();
            default -> provokeWithListedRequest(code);
        };
    }

    /**
     * The response to the first request of {@link #requests} or {@link #requestsRejectedBeforeTheResource} that gets
     * this problem.
     */
    private static RawResponse provokeWithListedRequest(ProblemCode code) {
        Stream<Arguments> gets =
                requests().map(request -> arguments("GET " + request.get()[0] + " HTTP/1.1", request.get()[1]));
        return Stream.concat(gets, requestsRejectedBeforeTheResource())
                .filter(request -> request.get()[1] == code)
                .findFirst()
                .map(request -> RawRequest.send((String) request.get()[0]))
                .orElseThrow(() -> new AssertionError("no request provokes " + code));
    }

    /**
     * Sixty clients request pages that wait for a lock, until one request is rejected because of it. Until the server
     * has found the lock, others are rejected because too many wait.
     */
    private static RawResponse overload() throws Exception {
        CompletableFuture<RawResponse> rejected = new CompletableFuture<>();
        ExecutorService clients = Executors.newFixedThreadPool(60);
        try (Connection other = FreshFeedsProfile.connection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table essays");
            for (int limit = 1; limit <= 60; limit++) {
                String target = "/api/essays?limit=" + limit;
                clients.execute(() -> {
                    while (!rejected.isDone()) {
                        RawResponse answer = RawRequest.get(target);
                        if (answer.status() == 503 && answer.body().contains("is locked")) {
                            rejected.complete(answer);
                        }
                    }
                });
            }
            return rejected.get(30, TimeUnit.SECONDS);
        } finally {
            clients.shutdown();
            assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String cursorOfTheDefaultOrder() {
        return Pages.read("/api/letters?limit=1").getString("next_cursor");
    }

    /** A cursor as it was sealed before a lifetime was set. */
    private String cursorWithoutAnIssueTime() {
        Feed feed = feeds.find("letters").orElseThrow();
        return Sealers.withoutLifetime()
                .seal(
                        new ListState(feed, feed.orders().byDefault(), List.of()),
                        new Continuation(Gap.after(Position.of("2026-01-01 00:00:00+00", "1")), Direction.FORWARD));
    }

    @Test
    void aProblemOfTheDatabaseCanBeRetriedAfterASecond() {
        assertThat(RawRequest.get("/api/outage").header("Retry-After")).contains("1");
    }

    /** The server checks the tables of broken feeds at this interval. */
    @Test
    void aRequestForADroppedTableCanBeRetriedAfterFiveSeconds() {
        pool.query("drop table if exists vanished").executeAndAwait();
        assertThat(RawRequest.get("/api/vanished").header("Retry-After")).contains("5");
    }

    @Test
    void aProblemHasExactlyTheMembersOfTheContract() {
        Map<String, Object> problem =
                JsonDocument.of(RawRequest.get("/api/letters?statsu=ok").body()).getMap("");
        assertThat(problem)
                .containsOnlyKeys("type", "title", "status", "detail", "instance", "code", "parameter", "request_id")
                .containsEntry("type", "urn:tidemark:problem:unknown_parameter")
                .containsEntry("instance", "/api/letters")
                .containsEntry("detail", "there is no parameter \"statsu\" here; the nearest name is \"status\"");
    }

    @Test
    void anUnsupportedOperatorListsTheOperatorsOfTheColumn() {
        assertThat(detail("/api/letters?subject=x"))
                .isEqualTo("there is no parameter \"subject\" here; the parameters of subject are: subject.prefix,"
                        + " subject.contains, subject.is");
        assertThat(detail("/api/letters?status.gt=ok")).endsWith("; the parameters of status are: status, status.is");
    }

    @Test
    void theDetailSaysThatADateDoesNotExist() {
        assertThat(detail("/api/letters?sent_at.lt=2026-13-01T00:00:00Z"))
                .isEqualTo("sent_at.lt is invalid: this date does not exist");
    }

    private static String detail(String target) {
        return JsonDocument.of(RawRequest.get(target).body()).getString("detail");
    }

    @Test
    void anInternalErrorRevealsNoInternals() {
        assertThat(RawRequest.get("/faulty/argument").body()).doesNotContain("secret", "Exception", "dev.tidemark");
        assertThat(RawRequest.get("/faulty/validation").body()).doesNotContain("HV000", "secret");
    }

    @Test
    void aMethodNotAllowedListsTheAllowedMethods() {
        assertThat(RawRequest.send("POST /api/letters HTTP/1.1").header("Allow"))
                .contains("GET, HEAD, OPTIONS");
    }

    @Test
    void headGetsTheStatusOfAProblemWithoutItsBody() {
        for (String target : List.of("/api/letters?limit=0", "/nope", "/%zz")) {
            RawResponse head = RawRequest.send("HEAD " + target + " HTTP/1.1");
            RawResponse get = RawRequest.get(target);
            assertThat(head.status()).isEqualTo(get.status());
            assertThat(head.header("Content-Type")).isEqualTo(get.header("Content-Type"));
            assertThat(head.header("Content-Length")).isEqualTo(get.header("Content-Length"));
            assertThat(head.body()).isEmpty();
        }
    }

    @Test
    void aRequestLineBeyondTheHttpLimitGetsABareStatus() {
        assertThat(RawRequest.get("/" + "a".repeat(70_000)).status()).isEqualTo(414);
    }

    private static void assertProblem(RawResponse answer, ProblemCode code) {
        assertThat(answer.body()).as(answer.head()).contains("\"code\":\"" + code.wireName() + '"');
        assertThat(answer.status()).isEqualTo(code.status());
        assertThat(answer.header("Content-Type")).contains("application/problem+json");
        assertThat(JsonDocument.of(answer.body()).getInt("status")).isEqualTo(code.status());
    }
}
