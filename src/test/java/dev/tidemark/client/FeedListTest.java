package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.client.ValueCounts.ValueCount;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import dev.tidemark.local.TestPostgres;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java client against a server whose feed has a hundred letters. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class FeedListTest {

    private static final ObjectMapper JACKSON = new ObjectMapper();

    private final AtomicInteger requests = new AtomicInteger();

    @Inject
    @ReactiveDataSource("inbox")
    Pool pool;

    private TidemarkClient client;
    private FeedList<Letter> letters;

    @BeforeEach
    void createClient() {
        client = TidemarkClient.of(TestServer.url("/")).onRequest(request -> requests.incrementAndGet());
        letters = client.feed("letters", Letter::of);
    }

    @Test
    void aPageHasTypedItems() {
        Page<Letter> page = letters.limit(2).page();
        assertThat(page.items())
                .containsExactly(
                        new Letter(100, Instant.parse("2026-01-01T00:25:00Z"), "Letter 100", "ok", null),
                        new Letter(99, Instant.parse("2026-01-01T00:24:00Z"), "Letter 99", "sad", false));
        assertThat(page.limit()).isEqualTo(2);
        assertThat(page.next()).isPresent();
        assertThat(page.prev()).isEmpty();
        assertThat(page.count()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 50, 100})
    void aStreamHasEveryItemOnce(int limit) {
        assertThat(ids(letters.limit(limit).items())).containsExactlyElementsOf(idsFrom100DownTo(1));
        assertThat(requests).hasValue((100 + limit - 1) / limit);
    }

    @Test
    void aStreamReadsOnlyRequestedPages() {
        Stream<Letter> items = letters.limit(10).items();
        assertThat(requests).hasValue(0);
        assertThat(ids(items.limit(20))).containsExactlyElementsOf(idsFrom100DownTo(81));
        assertThat(requests).hasValue(2);
    }

    @Test
    void pagesLeadForwardAndBackward() {
        FeedList<Letter> tens = letters.limit(10);
        Page<Letter> first = tens.page();
        Page<Letter> second = tens.page(PageStart.cursor(first.next().orElseThrow()));
        Page<Letter> back = tens.page(PageStart.cursor(second.prev().orElseThrow()));
        assertThat(ids(second.items().stream()))
                .containsExactlyElementsOf(idsFrom100DownTo(81).subList(10, 20));
        assertThat(back).isEqualTo(first);
    }

    @Test
    void aWalkStartsAtAnItemAValueOrACursor() {
        assertThat(ids(letters.items(PageStart.fromId("3")))).containsExactly(3L, 2L, 1L);
        assertThat(ids(letters.items(PageStart.from("2026-01-01T00:00:30Z")))).containsExactly(3L, 2L, 1L);
        String top = letters.page(PageStart.fromId("3")).top().orElseThrow();
        assertThat(ids(letters.items(PageStart.cursor(top)).limit(2))).containsExactly(33L, 32L);
        assertThat(ids(letters.limit(3).page(PageStart.aroundId("50")).items().stream()))
                .containsExactly(51L, 50L, 49L);
        assertThat(ids(letters.limit(3).page(PageStart.around("2026-01-01T00:10:00Z")).items().stream()))
                .hasSize(3);
    }

    @Test
    void fromIdIsRepeatedForEachColumnOfAKey() {
        assertThat(client.feed("twins", json -> json)
                        .page(PageStart.fromId("1", "y"))
                        .items())
                .containsExactly("{\"a\":1,\"b\":\"y\"}", "{\"a\":2,\"b\":\"x\"}");
    }

    @Test
    void filtersOrdersAndFieldsApply() {
        FeedList<Letter> sad = letters.where("status", "sad").order("oldest");
        assertThat(sad.items()).hasSize(33).allMatch(letter -> letter.status().equals("sad"));
        assertThat(sad.where("status", "sad", "very happy").items()).hasSize(66);
        assertThat(sad.where("status").items()).hasSize(100);
        assertThat(letters.where("subject.contains", "50%&+").items()).isEmpty();
        assertThat(letters.where("subject.contains", "ETTER 5").items()).hasSize(11);
        assertThat(letters.where("sent_at.lt", "2026-01-01T01:01:00+01:00").items())
                .hasSize(3);
        assertThat(client.feed("letters", json -> json)
                        .fields("id", "status")
                        .limit(1)
                        .page()
                        .items())
                .containsExactly("{\"id\":\"100\",\"status\":\"ok\"}");
    }

    @Test
    void aPageHasACountIfRequested() {
        FeedList<String> notes = client.feed("notes", json -> json);
        assertThat(notes.where("kind", "rare").count("exact").page().count()).contains(new Page.Count(5, "exact"));
        assertThat(notes.count("exact").page().count()).contains(new Page.Count(20, "at_least"));
    }

    @Test
    void anEmptyListHasNoBookmarks() {
        Page<Letter> page = letters.where("id.gt", "1000").page();
        assertThat(page.items()).isEmpty();
        assertThat(page.top()).isEmpty();
        assertThat(page.last()).isEmpty();
    }

    @Test
    void newItemsAreAllThoseAboveTheOldTop() {
        pool.query("truncate tides").executeAndAwait();
        addTides(1, 3);
        FeedList<String> tides = client.feed("tides", json -> json).fields("id").limit(2);
        String top = tides.page().top().orElseThrow();
        assertThat(tides.newItems(top)).isEqualTo(new NewItems<>(List.of(), Optional.of(top)));

        addTides(4, 8);
        assertThat(tides.fresh(top)).isEqualTo(new FreshCount(5, false));
        NewItems<String> added = tides.newItems(top);
        assertThat(added.items())
                .containsExactly(
                        "{\"id\":\"8\"}", "{\"id\":\"7\"}", "{\"id\":\"6\"}", "{\"id\":\"5\"}", "{\"id\":\"4\"}");

        addTides(9, 9);
        assertThat(tides.newItems(added.top().orElseThrow()).items()).containsExactly("{\"id\":\"9\"}");
    }

    private void addTides(int first, int last) {
        pool.query("insert into tides select i, '2026-01-01'::timestamptz + i * interval '1 minute' from"
                        + " generate_series("
                        + first + ", " + last + ") i")
                .executeAndAwait();
    }

    @Test
    void itemsAreCountedByValue() {
        FeedList<String> counted =
                client.feed("letters", json -> json).order("oldest").limit(3).fields("id");
        assertThat(counted.counts("urgent", 20))
                .isEqualTo(new ValueCounts(
                        List.of(
                                new ValueCount(Optional.of("false"), 20, true),
                                new ValueCount(Optional.of("true"), 20, false),
                                new ValueCount(Optional.empty(), 20, false)),
                        true));
        assertThat(counted.where("status", "very happy").counts("status", 100).counts())
                .containsExactly(new ValueCount(Optional.of("very happy"), 33, false));
    }

    @Test
    void aRefreshTurnsKeptItemsIntoTheCurrentPage() {
        pool.query("truncate cards").executeAndAwait();
        pool.query("insert into cards select i, '2026-01-01'::timestamptz + i * interval '1 minute', null,"
                        + " 'card', 'old' from generate_series(1, 9) i")
                .executeAndAwait();
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        FeedList<JsonNode> cards = client.feed("cards", JACKSON::readTree);
        List<JsonNode> kept = cards.limit(5).items().toList();
        String moment = cards.page().moment().orElseThrow();
        pool.query("update cards set body = 'new' where id in (2, 9)").executeAndAwait();
        pool.query("delete from cards where id = 5").executeAndAwait();
        pool.query("insert into cards values (10, '2026-01-02', null, 'card', 'new')")
                .executeAndAwait();

        Page<JsonNode> refreshed =
                cards.limit(12).refresh(kept, moment, card -> card.get("id").asLong());
        assertThat(refreshed.items()).isEqualTo(cards.limit(5).items().toList());
        assertThat(refreshed.items())
                .extracting(card -> card.get("id").asInt())
                .containsExactly(10, 9, 8, 7, 6, 4, 3, 2, 1);
        assertThat(refreshed.moment()).isPresent();

        List<JsonNode> incomplete = refreshed.items().subList(3, 9);
        assertThat(cards.limit(12)
                        .refresh(incomplete, refreshed.moment().orElseThrow(), card -> card.get("id")
                                .asText())
                        .items())
                .isEqualTo(refreshed.items());
    }

    @Test
    void aRefreshReadsItemsThatMoveUpAfterDeletionsInOneRequest() {
        pool.query("truncate cards").executeAndAwait();
        pool.query("insert into cards select i, '2026-01-01'::timestamptz + i * interval '1 minute', null,"
                        + " 'card', 'old' from generate_series(1, 9) i")
                .executeAndAwait();
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        FeedList<JsonNode> five = client.feed("cards", JACKSON::readTree).limit(5);
        Page<JsonNode> kept = five.page();
        pool.query("delete from cards where id in (6, 7, 8)").executeAndAwait();
        requests.set(0);

        Page<JsonNode> refreshed = five.refresh(kept.items(), kept.moment().orElseThrow(), card -> card.get("id")
                .asText());
        assertThat(requests).hasValue(2);
        assertThat(refreshed.items()).extracting(card -> card.get("id").asInt()).containsExactly(9, 5, 4, 3, 2);
    }

    @Test
    void aRefreshReadsMoreMissingItemsThanAPageHas() {
        pool.query("truncate cards").executeAndAwait();
        pool.query("insert into cards select i, '2026-01-01'::timestamptz + i * interval '1 minute', null,"
                        + " 'card', 'old' from generate_series(1, 9) i")
                .executeAndAwait();
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        FeedList<JsonNode> cards = client.feed("cards", JACKSON::readTree);
        String moment = cards.page().moment().orElseThrow();
        assertThat(cards.limit(12)
                        .refresh(List.of(), moment, card -> card.get("id").asText())
                        .items())
                .extracting(card -> card.get("id").asInt())
                .containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1);
    }

    @Test
    void aRefreshRejectsItemsWithoutTheirKey() {
        pool.query("insert into cards values (1, '2026-01-01', null, 'card', null) on conflict do nothing")
                .executeAndAwait();
        TestPostgres.awaitEndOfOpenQuarkusTransactions();
        FeedList<String> cards = client.feed("cards", json -> json);
        String moment = cards.page().moment().orElseThrow();
        assertThatThrownBy(() -> cards.refresh(List.of("{}"), moment, card -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("the function for keys returned null");
        assertThatThrownBy(() -> cards.refresh(List.of(), moment, card -> "other"))
                .isInstanceOf(FeedException.class)
                .hasMessage("the function for keys returned [other], which is not the item's key");
    }

    @Test
    void aRefreshSupportsKeysOfSeveralColumns() {
        pool.query("truncate legs").executeAndAwait();
        pool.query("insert into legs select '2025-12-30'::date + i, i, 'long' from generate_series(0, 3) i")
                .executeAndAwait();
        FeedList<JsonNode> legs = client.feed("legs", JACKSON::readTree);
        Page<JsonNode> kept = legs.page();
        pool.query("update legs set distance = 'short' where number = 2").executeAndAwait();
        Page<JsonNode> refreshed = legs.refresh(
                kept.items(),
                kept.moment().orElseThrow(),
                leg -> List.of(leg.get("day").asText(), leg.get("number").asInt()));
        assertThat(refreshed.items()).isEqualTo(legs.page().items()).hasSize(4);
    }

    @Test
    void aProblemIsTyped() {
        Problem problem = problemOf(letters.where("statsu", "sad"));
        assertThat(problem.code()).isEqualTo(ProblemCode.UNKNOWN_PARAMETER);
        assertThat(problem.code().number()).isEqualTo(1006);
        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.parameter()).contains("statsu");
        assertThat(problem.detail()).isEqualTo("there is no parameter \"statsu\" here; the nearest name is \"status\"");
        assertThat(problem.requestId()).isPresent();
        assertThat(problem.mustStartAgain()).isFalse();
    }

    @Test
    void aScrollWithACursorOfAnotherListMustStartAgain() {
        String cursor = letters.order("oldest").limit(1).page().next().orElseThrow();
        assertThatThrownBy(() -> letters.page(PageStart.cursor(cursor)))
                .isInstanceOfSatisfying(ProblemException.class, e -> {
                    assertThat(e.problem().code()).isEqualTo(ProblemCode.CURSOR_MISMATCH);
                    assertThat(e.problem().mustStartAgain()).isTrue();
                });
    }

    @Test
    void aPermanentProblemIsNotRetried() {
        problemOf(letters.where("limit", "0"));
        assertThat(requests).hasValue(1);
    }

    @Test
    void aResponseThatIsNotAPageIsAFailure() {
        Problem html = problemOf(feedUnder("/?"));
        assertThat(html.code()).isEqualTo(ProblemCode.OTHER);
        assertThat(html.detail()).isEqualTo("the server responded with status 200 and gave no details");
        assertThatThrownBy(() -> feedUnder("/q/openapi?").page())
                .isInstanceOf(FeedException.class)
                .hasMessage("the response cannot be read: there is no member \"cursors\"");
    }

    private static FeedList<String> feedUnder(String path) {
        return TidemarkClient.of(TestServer.url(path)).feed("letters", json -> json);
    }

    @Test
    void anItemThatCannotBeMappedFailsWithTheCause() {
        assertThatThrownBy(() -> client.feed("letters", Integer::valueOf).page())
                .isInstanceOf(FeedException.class)
                .hasMessageStartingWith("an item cannot be mapped: For input string")
                .hasRootCauseInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> client.feed("letters", json -> null).page())
                .hasMessage("an item cannot be mapped: the mapper returned null");
        // Jackson's exceptions are IOExceptions, as those of a broken connection are, but must not cause a retry.
        assertThatThrownBy(() -> client.feed("letters", json -> JACKSON.readValue("{", Letter.class))
                        .page())
                .isInstanceOf(FeedException.class)
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(requests).as("none is retried").hasValue(3);
    }

    @Test
    void anErrorInTheCallersCodeFailsThePage() {
        FeedList<Object> broken = client.feed("letters", json -> {
            throw new StackOverflowError("too deep");
        });
        assertThatThrownBy(broken::page).isInstanceOf(FeedException.class).hasMessageContaining("too deep");
        assertThatThrownBy(() -> client.onRequest(request -> request.header("not a name", ""))
                        .feed("letters", json -> json)
                        .page())
                .isInstanceOf(FeedException.class)
                .hasMessageStartingWith("the request cannot be sent");
    }

    @Test
    void anInterruptEndsTheWaitAndTheThreadStaysInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(letters::page)
                .isInstanceOf(FeedException.class)
                .hasMessage("interrupted while waiting for a response");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aRequestThatTimesOutInTheDatabaseIsRetried() {
        Retry twice = new Retry(2, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        Problem problem = problemOf(client.retry(twice).feed("snails", json -> json));
        assertThat(problem.code()).isEqualTo(ProblemCode.TIMEOUT);
        assertThat(problem.isTemporary()).isTrue();
        assertThat(requests).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource(dev.tidemark.http.problem.ProblemCode.class)
    void everyCodeOfTheServerIsKnownWithItsNumber(dev.tidemark.http.problem.ProblemCode code) {
        assertThat(ProblemCode.of(code.wireName()).number()).isEqualTo(code.number());
        assertThat(ProblemCode.values()).hasSize(dev.tidemark.http.problem.ProblemCode.values().length + 1);
    }

    private static Problem problemOf(FeedList<?> list) {
        return catchThrowableOfType(ProblemException.class, list::page).problem();
    }

    private static List<Long> ids(Stream<Letter> letters) {
        return letters.map(Letter::id).toList();
    }

    private static List<Long> idsFrom100DownTo(long last) {
        return LongStream.rangeClosed(last, 100)
                .map(i -> 100 + last - i)
                .boxed()
                .toList();
    }
}
