package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.TestClient;
import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.problem.ProblemCode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class OpenApiTest {

    private static final Pattern REFERENCE = Pattern.compile("\"\\$ref\"\\s*:\\s*\"#/components/(\\w+)/([^\"]+)\"");

    @Test
    void everyFeedHasItsOwnPathInsteadOfTheTemplate() {
        assertThat(document().getMap("paths").keySet().stream().map(Object::toString))
                .contains("/api", "/api/letters", "/api/letters/fresh", "/api/specimens")
                .noneMatch(path -> path.contains("{"));
    }

    @Test
    void theNumberOfNewItemsIsDescribedAsJsonAndAsAStream() {
        JsonDocument document = document();
        assertThat(document.getMap("paths.'/api/letters/fresh'.get.responses.'200'.content").keySet().stream()
                        .map(Object::toString))
                .containsExactlyInAnyOrder("application/json", "text/event-stream");
        assertThat(document.getList("paths.'/api/letters/fresh'.get.parameters.name", String.class))
                .contains("cursor", "order", "status", "sent_at.gte")
                .doesNotContain("limit", "fields", "from", "until", "count");
        assertThat(requiredParameters(document, "/api/letters/fresh")).containsExactly("cursor");
    }

    @Test
    void aFeedHasExactlyTheParametersThatItAccepts() {
        List<String> names = document().getList("paths.'/api/letters'.get.parameters.name");
        assertThat(names)
                .startsWith("limit", "cursor", "fields")
                .contains(
                        "order",
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
    void theSchemaOfAnItemMatchesItsJson() {
        Map<String, Object> letter = document().getMap("components.schemas.'letters.item'.properties");
        assertThat(letter.keySet()).containsExactly("id", "sent_at", "subject", "status", "urgent");
        assertThat(document().getString("components.schemas.'letters.item'.properties.id.type"))
                .isEqualTo("string");
        assertThat(document().getList("components.schemas.'letters.item'.properties.status.enum"))
                .containsExactly("sad", "ok", "very happy");
        assertThat(document().getList("components.schemas.'letters.item'.properties.urgent.type"))
                .containsExactlyInAnyOrder("boolean", "null");
    }

    @Test
    void noFormatExcludesInfinity() {
        Map<String, Map<String, Object>> columns = document().getMap("components.schemas.'specimens.item'.properties");
        for (String column : List.of("day", "at_time", "local", "moment")) {
            assertThat(columns.get(column))
                    .as(column)
                    .containsKey("description")
                    .doesNotContainKey("format");
        }
    }

    @Test
    void everyFeedHasTheParametersForJumpsAndUntil() {
        assertThat(parameters("letters")).contains("from", "around", "from_id", "around_id", "until");
        assertThat(document().getString("paths.'/api/letters'.get.parameters.find { it.name == 'from' }.description"))
                .contains("newest: sent_at", "oldest: sent_at");
    }

    @Test
    void aCountIsDescribedIfTheFeedOffersOne() {
        assertThat(parameters("letters")).doesNotContain("count");
        assertThat(document().getMap("components.schemas.'letters.page'.properties"))
                .doesNotContainKey("count");
        assertThat(document().getList("paths.'/api/notes'.get.parameters.find { it.name == 'count' }.schema.enum"))
                .containsExactly("estimate", "exact");
        assertThat(document().getList("components.schemas.'notes.page'.properties.count.properties.relation.enum"))
                .containsExactly("exact", "estimate", "at_least");
        assertThat(document().getList("components.schemas.'notes.page'.required"))
                .doesNotContain("count");
    }

    @Test
    void theUniversalProtocolIsDescribedToo() {
        JsonDocument document = document();
        String get = "paths.'/v3/letters'.get.";
        assertThat(requiredParameters(document, "/v3/letters")).containsExactly("limit");
        assertThat(document.getList(get + "parameters.name", String.class))
                .startsWith("limit", "after", "before", "order")
                .contains("status", "sent_at.gte")
                .doesNotContain("cursor", "fields", "from", "until", "count");
        assertThat(document.getList("paths.'/v3/onward'.get.parameters.name", String.class))
                .contains("after")
                .doesNotContain("before");
        assertThat(document.getMap(get + "responses.'200'.headers").keySet().stream()
                        .map(Object::toString))
                .containsExactlyInAnyOrder("ETag", "Cache-Control", "Vary", "Server-Timing");
        assertThat(document.getString(get + "responses.'304'.$ref")).endsWith("RowsNotModified");
        assertThat(document.getString(get + "responses.default.$ref")).endsWith("UniversalProblem");
        String paging = "components.schemas.'%s.rows'.properties.result.properties.paging.properties";
        assertThat(document.getMap(paging.formatted("letters")).keySet().stream()
                        .map(Object::toString))
                .containsExactly("cursors", "previous", "next");
        assertThat(document.getMap(paging.formatted("shoals")).keySet().stream().map(Object::toString))
                .containsExactly("cursors", "previous", "next", "count");
        assertThat(document.getList("components.schemas.UniversalProblem.properties.code.enum"))
                .hasSameSizeAs(ProblemCode.values())
                .contains(1010);
    }

    @Test
    void aFeedWithoutAKeyIsDescribedOnlyInTheUniversalProtocol() {
        assertThat(document().getMap("paths").keySet().stream().map(Object::toString))
                .contains("/v3/ranking")
                .noneMatch(path -> path.startsWith("/api/ranking"));
        assertThat(document().getMap("components.schemas").keySet().stream().map(Object::toString))
                .contains("ranking.item", "ranking.rows")
                .doesNotContain("ranking.page");
    }

    @Test
    void theSchemaOfAProblemListsEveryCode() {
        assertThat(document().getList("components.schemas.Problem.properties.code.enum"))
                .hasSameSizeAs(ProblemCode.values());
    }

    @Test
    void cachingHeadersOfPagesAndTheCatalogueAreDescribed() {
        JsonDocument document = document();
        for (String path : List.of("/api/letters", "/api")) {
            assertThat(document.getString("paths.'" + path + "'.get.responses.'304'.$ref"))
                    .endsWith("NotModified");
            assertThat(document.getList("paths.'" + path + "'.get.parameters.$ref"))
                    .containsOnlyOnce("#/components/parameters/If-None-Match");
        }
        assertThat(document.getMap("paths.'/api/letters'.get.responses.'200'.headers").keySet().stream()
                        .map(Object::toString))
                .containsExactlyInAnyOrder("ETag", "Cache-Control", "Vary", "Link", "Server-Timing");
        assertThat(document.getMap("paths.'/api'.get.responses.'200'.headers").keySet().stream()
                        .map(Object::toString))
                .containsExactlyInAnyOrder("ETag", "Cache-Control", "Vary");
    }

    @Test
    void onlySchemasOfResponsesAreDescribed() {
        assertThat(document().getMap("components.schemas").keySet().stream().map(Object::toString))
                .allMatch(name -> name.equals("Problem")
                        || name.equals("UniversalProblem")
                        || name.equals("Fresh")
                        || name.endsWith(".rows")
                        || name.endsWith(".item")
                        || name.endsWith(".page"));
    }

    @Test
    void everyReferenceResolves() {
        String text = TestClient.text(TestClient.get("/q/openapi", "Accept", "application/json"));
        JsonDocument document = JsonDocument.of(text);
        assertThat(REFERENCE
                        .matcher(text)
                        .results()
                        .map(reference -> "components." + reference.group(1) + ".'" + reference.group(2) + "'")
                        .distinct())
                .isNotEmpty()
                .allSatisfy(path -> assertThat(document.getMap(path)).isNotNull());
    }

    private static List<String> requiredParameters(JsonDocument document, String path) {
        List<Map<String, Object>> parameters = document.getList("paths.'" + path + "'.get.parameters");
        return parameters.stream()
                .filter(parameter -> Boolean.TRUE.equals(parameter.get("required")))
                .map(parameter -> (String) parameter.get("name"))
                .toList();
    }

    private static List<String> parameters(String feed) {
        return document().getList("paths.'/api/" + feed + "'.get.parameters.name");
    }

    private static JsonDocument document() {
        return TestClient.json("/q/openapi", "Accept", "application/json");
    }
}
