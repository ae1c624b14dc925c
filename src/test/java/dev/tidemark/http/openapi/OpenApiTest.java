package dev.tidemark.http.openapi;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.feed.Filter;
import dev.tidemark.http.ApiDescription;
import dev.tidemark.http.ApiDescription.Operation;
import dev.tidemark.http.ApiDescription.Parameter;
import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.fresh.FreshCount;
import dev.tidemark.http.problem.ProblemCode;
import dev.tidemark.http.query.FilterParameter;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class OpenApiTest {

    private static final Pattern REFERENCE = Pattern.compile("\"\\$ref\"\\s*:\\s*\"#/components/(\\w+)/([^\"]+)\"");
    private static final Pattern SENTENCES = Pattern.compile("(?s)\\p{Lu}.*\\..*");

    @Test
    void everyFeedHasItsOwnPathInsteadOfTheTemplate() {
        assertThat(names("paths"))
                .contains("/api", "/api/letters", "/api/letters/fresh", "/api/specimens")
                .noneMatch(path -> path.contains("{"));
    }

    @Test
    void operationIdsAreUniqueAndNameTheActionAndTheFeed() {
        Map<String, Map<String, Map<String, Object>>> paths = document().getMap("paths");
        assertThat(paths.get("/api").get("get")).containsEntry("operationId", "listFeeds");
        assertThat(paths.get("/api/letters").get("get")).containsEntry("operationId", "listLetters");
        assertThat(paths.get("/api/letters/fresh").get("get")).containsEntry("operationId", "countFreshLetters");
        assertThat(paths.get("/v3/letters-by-offset").get("get"))
                .containsEntry("operationId", "listLettersByOffsetUniversal");
        assertThat(paths.values().stream().map(path -> path.get("get").get("operationId")))
                .doesNotHaveDuplicates();
    }

    @Test
    void aListIsDescribedAsPagesAndAsLines() {
        assertThat(names("paths.'/api/letters'.get.responses.'200'.content"))
                .containsExactlyInAnyOrder("application/json", "application/x-ndjson", "text/csv");
    }

    @Test
    void theNumberOfNewItemsIsDescribedAsJsonAndAsAStream() {
        assertThat(names("paths.'/api/letters/fresh'.get.responses.'200'.content"))
                .containsExactlyInAnyOrder("application/json", "text/event-stream");
        assertThat(parameters("/api/letters/fresh"))
                .contains("cursor", "order", "status", "sent_at.gte", "lastEventId")
                .doesNotContain("limit", "fields", "from", "until", "count");
        assertThat(parameter("/api/letters/fresh", "cursor")).containsEntry("required", true);
        assertThat(names("paths.'/api/letters/counts'.get.responses.'200'.content"))
                .containsExactly("application/json", "text/event-stream");
        assertThat(parameters("/api/letters/counts"))
                .startsWith("by")
                .endsWith("up-to", "lastEventId", "If-None-Match")
                .contains("status", "id.gte")
                .doesNotContain("order", "limit", "cursor");
        assertThat(names("paths")).doesNotContain("/api/essays/counts");
    }

    @Test
    void aLiveWindowOfAFeedWithDeltaIsDescribedAsAStream() {
        assertThat(names("paths.'/api/cards/live'.get.responses.'200'.content")).containsExactly("text/event-stream");
        assertThat(parameters("/api/cards/live"))
                .containsExactlyInAnyOrder(
                        "order",
                        "title",
                        "title.is",
                        "fields",
                        "cursor",
                        "until",
                        "limit",
                        "since",
                        "lastEventId",
                        "Last-Event-ID");
        assertThat(parameter("/api/cards/live", "Last-Event-ID")).containsEntry("in", "header");
        assertThat(names("paths")).doesNotContain("/api/letters/live");
    }

    @Test
    void aFeedHasExactlyTheParametersThatItAccepts() {
        assertThat(parameters("/api/letters"))
                .startsWith("limit", "cursor", "order")
                .contains(
                        "fields",
                        "status",
                        "status.is",
                        "id",
                        "id.gt",
                        "sent_at.gte",
                        "subject.prefix",
                        "subject.contains")
                .doesNotContain("sent_at", "body");
    }

    @Test
    void theOperationsOfAFeedShareTheParametersOfItsLists() {
        assertThat(references("/api/letters"))
                .containsAll(listParameters("/api/letters/fresh"))
                .containsAll(listParameters("/v3/letters"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/%s", "/api/%s/fresh", "/api/%s/counts", "/api/%s/live", "/v3/%s"})
    void theWordsOfASearchAreDescribedIfTheFeedHasOne(String operation) {
        assertThat(parameters(operation.formatted("tales"))).contains("q");
        assertThat(parameters(operation.formatted("posts"))).isNotEmpty().doesNotContain("q");
    }

    @Test
    void feedsShareTheParametersThatAreEqual() {
        String sentAfter = "#/components/parameters/sent_at.gt";
        assertThat(references("/api/letters")).contains(sentAfter);
        assertThat(references("/api/letters-by-offset")).contains(sentAfter);
        assertThat(document().getMap("components.parameters").values()).doesNotHaveDuplicates();
    }

    @Test
    void aParameterThatDiffersFromItsNamesakeIsNamedAfterItsFeed() {
        assertThat(references("/api/letters-by-offset")).contains("#/components/parameters/letters-by-offset.status");
        assertThat(document().getString("components.parameters.'letters-by-offset.status'.schema.items.$ref"))
                .endsWith("/LettersByOffsetStatusValue");
    }

    @Test
    void jsonHasNoSuperfluousWhitespace() {
        when().get("/q/openapi?format=json").then().body(startsWith("{\"openapi\":"));
    }

    @Test
    void theSchemaOfAnItemMatchesItsJson() {
        String properties = "components.schemas.LettersItem.properties";
        assertThat(names(properties)).containsExactly("id", "sent_at", "subject", "status", "urgent");
        assertThat(document().getString(properties + ".id.$ref")).endsWith("/BigInteger");
        assertThat(document().getString("components.schemas.BigInteger.type")).isEqualTo("string");
        assertThat(document().getString(properties + ".status.$ref")).endsWith("/LettersStatusValue");
        assertThat(document().getList("components.schemas.LettersStatusValue.enum"))
                .containsExactly("sad", "ok", "very happy");
        assertThat(document().getList(properties + ".urgent.type")).containsExactlyInAnyOrder("boolean", "null");
    }

    @Test
    void anEmbedIsAnObjectOrNull() {
        JsonDocument schemas = document();
        assertThat(schemas.getMap("components.schemas.PostsItem.properties").keySet())
                .containsExactly("id", "at", "title", "author", "reviewer");
        assertThat(schemas.getString("components.schemas.PostsItem.properties.author.anyOf"))
                .isEqualTo("[{$ref=#/components/schemas/PostsAuthorEmbed}, {type=null}]");
        assertThat(schemas.getString("components.schemas.PostsAuthorEmbed.properties.mood.anyOf"))
                .isEqualTo("[{$ref=#/components/schemas/PostsAuthorMoodValue}, {type=null}]");
        assertThat(schemas.getList("components.schemas.PostsAuthorEmbed.required"))
                .containsExactly("name", "mood");
        assertThat(schemas.getString("paths.'/api/posts'.get.parameters[name=fields].schema.items.enum"))
                .isEqualTo("[id, at, title, author, reviewer]");
    }

    @Test
    void aWholeNumberThatIsATimeIsDescribedAsATimestamp() {
        JsonDocument document = document();
        String properties = "components.schemas.SignalsItem.properties";
        assertThat(document.getString(properties + ".sent_ms.$ref")).endsWith("/Timestamp");
        assertThat(document.getString(properties + ".edited_ms.anyOf"))
                .isEqualTo("[{$ref=#/components/schemas/Timestamp}, {type=null}]");
    }

    @Test
    void typesWithValuesThatNoFormatAllowsHaveNoFormat() {
        Map<String, Map<String, Object>> schemas = document().getMap("components.schemas");
        for (String schema : List.of("CalendarDate", "TimeOfDay", "LocalTimestamp", "Timestamp", "DecimalNumber")) {
            assertThat(schemas.get(schema))
                    .as(schema)
                    .containsKey("description")
                    .doesNotContainKey("format");
        }
    }

    @Test
    void everyFeedHasTheParametersForJumpsAndUntil() {
        assertThat(parameters("/api/letters")).contains("from", "around", "from_id", "around_id", "until");
        assertThat(parameter("/api/letters", "from").get("description").toString())
                .contains("`sent_at` in `newest`", "`sent_at` in `oldest`");
    }

    @Test
    void aCountIsDescribedIfTheFeedOffersOne() {
        assertThat(parameters("/api/letters")).doesNotContain("count");
        assertThat(names("components.schemas.LettersPage.properties")).doesNotContain("count");
        assertThat(parameter("/api/notes", "count"))
                .extractingByKey("schema")
                .isEqualTo(Map.of("type", "string", "enum", List.of("estimate", "exact")));
        assertThat(document().getString("components.schemas.NotesPage.properties.count.$ref"))
                .endsWith("/ItemCount");
        assertThat(document().getList("components.schemas.ItemCount.properties.relation.enum"))
                .containsExactly("exact", "estimate", "at_least");
        assertThat(document().getList("components.schemas.NotesPage.required")).doesNotContain("count");
    }

    @Test
    void momentsAreDescribedIfTheFeedHasDelta() {
        assertThat(parameters("/api/cards")).contains("since");
        assertThat(parameters("/api/letters")).doesNotContain("since");
        assertThat(names("components.schemas.CardsPage.properties")).endsWith("count", "keys", "moment");
        assertThat(document().getInt("components.schemas.CardsPage.properties.keys.maxItems"))
                .isEqualTo(12);
        assertThat(document().getList("components.schemas.CardsPage.required"))
                .contains("moment")
                .doesNotContain("keys");
        assertThat(names("components.schemas.LettersPage.properties")).doesNotContain("keys", "moment");
        assertThat(document().getInt("components.schemas.LegsPage.properties.keys.items.minItems"))
                .isEqualTo(2);
    }

    @Test
    void theUniversalProtocolIsDescribedToo() {
        JsonDocument document = document();
        String get = "paths.'/v3/letters'.get.";
        assertThat(parameter("/v3/letters", "limit")).containsEntry("required", true);
        assertThat(parameters("/v3/letters"))
                .startsWith("limit", "after", "before", "order")
                .contains("status", "sent_at.gte")
                .doesNotContain("cursor", "fields", "from", "until", "count");
        assertThat(parameters("/v3/onward")).contains("after").doesNotContain("before");
        assertThat(names(get + "responses.'200'.headers"))
                .containsExactlyInAnyOrder("ETag", "Cache-Control", "Vary", "Server-Timing");
        assertThat(document.getString(get + "responses.'304'.$ref")).endsWith("RowsNotModified");
        assertThat(document.getString(get + "responses.'400'.$ref")).endsWith("UniversalBadRequest");
        String paging = "components.schemas.%sUniversalPage.properties.result.properties.paging.$ref";
        assertThat(document.getString(paging.formatted("Letters"))).endsWith("/UniversalPaging");
        assertThat(document.getString(paging.formatted("Shoals"))).endsWith("/UniversalPagingWithCount");
        assertThat(names("components.schemas.UniversalPaging.properties"))
                .containsExactly("cursors", "previous", "next");
        assertThat(names("components.schemas.UniversalPagingWithCount.properties"))
                .containsExactly("cursors", "previous", "next", "count");
        assertThat(document.getList("components.schemas.UniversalProblem.properties.code.enum"))
                .hasSameSizeAs(ProblemCode.values())
                .contains(1010);
    }

    @Test
    void aFeedWithoutAKeyIsDescribedOnlyInTheUniversalProtocol() {
        assertThat(names("paths")).contains("/v3/ranking").noneMatch(path -> path.startsWith("/api/ranking"));
        assertThat(names("components.schemas"))
                .contains("RankingItem", "RankingUniversalPage")
                .doesNotContain("RankingPage");
    }

    @Test
    void cursorsOfAPageAreLinkedToTheOperationsThatAcceptThem() {
        Map<String, Map<String, Object>> page = document().getMap("paths.'/api/letters'.get.responses.'200'.links");
        assertThat(page.get("next")).containsEntry("operationId", "listLetters");
        assertThat(page.get("next").get("parameters"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("cursor", "$response.body#/next_cursor");
        assertThat(page.get("fresh")).containsEntry("operationId", "countFreshLetters");
        assertThat(names("paths.'/v3/letters'.get.responses.'200'.links")).containsExactly("next", "previous");
        assertThat(names("paths.'/v3/onward'.get.responses.'200'.links")).containsExactly("next");
    }

    @Test
    void paginationIsDescribedForGeneratorsThatOfferIterators() {
        String get = "paths.'/api/letters'.get.";
        assertThat(document().getMap(get + "'x-speakeasy-pagination'.outputs"))
                .containsEntry("nextCursor", "$.next_cursor")
                .containsEntry("results", "$.items");
        assertThat(document().getMap(get + "'x-fern-pagination'"))
                .containsEntry("cursor", "$request.cursor")
                .containsEntry("next_cursor", "$response.next_cursor")
                .containsEntry("results", "$response.items");
    }

    @Test
    void problemsOfEveryStatusAreDescribed() {
        assertThat(names("paths.'/api/letters'.get.responses"))
                .containsExactlyInAnyOrder(
                        "200", "304", "400", "404", "406", "410", "413", "414", "415", "431", "500", "503", "504");
        assertThat(document().getString("components.responses.Gone.description"))
                .isEqualTo("The cursor is too old. The code is `cursor_expired`.");
        assertThat(document().getString("components.responses.BadRequest.description"))
                .contains("\n- `invalid_limit`: The limit is invalid.\n");
        assertThat(names("components.responses.ServiceUnavailable.headers")).contains("Retry-After", "X-Request-Id");
    }

    @Test
    void everyProblemIsDescribedAtItsStatus() {
        JsonDocument document = document();
        assertThat(document.getList("components.schemas.Problem.properties.code.enum"))
                .isEqualTo(Stream.of(ProblemCode.values())
                        .map(ProblemCode::wireName)
                        .toList());
        assertThat(document.getList("components.schemas.UniversalProblem.properties.code.enum"))
                .isEqualTo(
                        Stream.of(ProblemCode.values()).map(ProblemCode::number).toList());
        for (ProblemCode code : ProblemCode.values()) {
            String reference = document.getString("paths.'/v3/letters'.get.responses.'" + code.status() + "'.$ref");
            // Not every status is described: a document of GET operations has no 405, and public feeds need no token.
            if (reference != null) {
                String response = reference.substring("#/components/responses/Universal".length());
                String name = '`' + code.wireName() + '`';
                assertThat(document.getString("components.responses." + response + ".description"))
                        .contains(name, code.title());
                assertThat(document.getString("components.responses.Universal" + response + ".description"))
                        .contains('`' + Integer.toString(code.number()) + "` (" + name + ')', code.title());
            }
        }
    }

    @Test
    void limitsAndOperatorsOfTheProtocolAreThoseOfTheServer() {
        assertThat(document().getInt("components.schemas.FreshCount.properties.count.maximum"))
                .isEqualTo(FreshCount.MAX);
        assertThat(document().getInt("components.parameters.status.schema.maxItems"))
                .isEqualTo(FilterParameter.MAX_VALUES);
        assertThat(document().getList("components.schemas.FeedFilter.properties.operators.items.enum"))
                .isEqualTo(Stream.of(Filter.Operator.values())
                        .map(Filter.Operator::wireName)
                        .toList());
    }

    @Test
    void cachingHeadersOfPagesAndTheListOfFeedsAreDescribed() {
        JsonDocument document = document();
        for (String path : List.of("/api/letters", "/api")) {
            assertThat(document.getString("paths.'" + path + "'.get.responses.'304'.$ref"))
                    .endsWith("NotModified");
            assertThat(document.getList("paths.'" + path + "'.get.parameters.$ref"))
                    .containsOnlyOnce("#/components/parameters/If-None-Match");
        }
        assertThat(names("paths.'/api/letters'.get.responses.'200'.headers"))
                .containsExactlyInAnyOrder("ETag", "Cache-Control", "Vary", "Link", "Server-Timing");
        assertThat(names("paths.'/api'.get.responses.'200'.headers"))
                .containsExactlyInAnyOrder("ETag", "Cache-Control", "Vary");
        assertThat(names("paths.'/api/letters/fresh'.get.responses.'200'.headers"))
                .containsExactlyInAnyOrder("Cache-Control", "Vary", "Server-Timing");
    }

    @Test
    void theListOfFeedsHasTheMembersOfItsSchema() {
        Map<String, Object> plain = Pages.read("/api").getMap("feeds[name=notes]");
        Map<String, Object> tales = Pages.read("/api").getMap("feeds[name=tales]");
        assertThat(names("components.schemas.Feed.properties")).containsExactlyElementsOf(tales.keySet());
        assertThat(document().getList("components.schemas.Feed.required"))
                .containsExactlyElementsOf(List.copyOf(plain.keySet()));
        assertThat(names("components.schemas.FeedOrder.properties"))
                .hasToString(((Map<?, ?>) ((List<?>) plain.get("orders")).get(0))
                        .keySet()
                        .toString());
    }

    @Test
    void componentsAreExactlyTheReferencedOnes() {
        String text =
                given().accept("application/json").when().get("/q/openapi").asString();
        JsonDocument document = JsonDocument.of(text);
        Set<String> referenced = REFERENCE
                .matcher(text)
                .results()
                .map(reference -> reference.group(1) + '/' + reference.group(2))
                .collect(Collectors.toSet());
        Map<String, Map<String, Object>> components = document.getMap("components");
        assertThat(components.entrySet().stream()
                        .flatMap(kind -> kind.getValue().keySet().stream().map(name -> kind.getKey() + '/' + name)))
                .containsExactlyInAnyOrderElementsOf(referenced);
    }

    @Test
    void theDocumentOfOneFeedIsAPartOfTheDocumentOfAllFeeds() {
        JsonDocument letters = Pages.read("/q/openapi/letters?format=json");
        assertThat(letters.getMap("paths").keySet())
                .containsExactlyInAnyOrder("/api/letters", "/api/letters/fresh", "/api/letters/counts", "/v3/letters");
        for (String part : List.of("paths.'/api/letters'.get.responses", "components.schemas.LettersItem")) {
            assertThat(letters.getMap(part)).as(part).isEqualTo(document().getMap(part));
        }
        assertThat(letters.getMap("components.schemas")).doesNotContainKeys("NotesItem", "Feed");
        when().get("/q/openapi/letters").then().body(startsWith("---\nopenapi:"));
    }

    @ParameterizedTest
    @CsvSource({"nope, unknown_feed", "letters?fields=id, unknown_parameter"})
    void aDocumentThatDoesNotExistIsAProblem(String target, String code) {
        when().get("/q/openapi/" + target).then().body("code", is(code));
    }

    @Test
    void descriptionsAreSentences() {
        assertThat(members("description", String.class, document().getMap("")))
                .isNotEmpty()
                .allMatch(text -> SENTENCES.matcher((String) text).matches());
    }

    @Test
    void noExampleHasAMemberThatToolsTakeForAReference() {
        List<Object> examples = members("example", Map.class, document().getMap("paths"));
        assertThat(examples).isNotEmpty();
        assertThat(members("$ref", Object.class, examples)).isEmpty();
    }

    /** The generator for Kotlin writes the values of an enumeration of booleans as texts. */
    @Test
    void noBooleanIsAnEnumeration() {
        assertThat(members("enum", List.class, document().getMap("")))
                .isNotEmpty()
                .noneMatch(values -> ((List<?>) values).contains(true));
    }

    /** The members with the name and type in a value, at any depth, but not within each other. */
    private static List<Object> members(String name, Class<?> type, Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .flatMap(entry -> entry.getKey().equals(name) && type.isInstance(entry.getValue())
                            ? Stream.of(entry.getValue())
                            : members(name, type, entry.getValue()).stream())
                    .toList();
        }
        return value instanceof Collection<?> list
                ? list.stream()
                        .flatMap(element -> members(name, type, element).stream())
                        .toList()
                : List.of();
    }

    /** The definition of a parameter of an operation. */
    private static Map<String, Object> parameter(String path, String name) {
        Map<String, Map<String, Object>> definitions = document().getMap("components.parameters");
        return references(path).stream()
                .map(reference -> definitions.get(reference.substring(reference.lastIndexOf('/') + 1)))
                .filter(definition -> definition.get("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> references(String path) {
        return document().getList("paths.'" + path + "'.get.parameters.$ref", String.class).stream()
                .filter(Objects::nonNull)
                .toList();
    }

    /** The references that are not to parameters of the page, such as {@code cursor} and {@code limit}. */
    private static List<String> listParameters(String path) {
        return references(path).stream()
                .filter(reference -> reference.matches(".*[/.](order|status|sent_at|subject|urgent)[^/]*"))
                .toList();
    }

    private static List<String> parameters(String path) {
        return ApiDescription.fetchOperations().stream()
                .filter(operation -> operation.path().equals(path))
                .map(Operation::parameters)
                .flatMap(Collection::stream)
                .map(Parameter::name)
                .toList();
    }

    /** The names of the members of an object. */
    private static Set<String> names(String path) {
        return document().getMap(path).keySet();
    }

    private static JsonDocument document() {
        return JsonDocument.of(given().accept("application/json").when().get("/q/openapi"));
    }
}
