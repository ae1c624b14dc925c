package dev.tidemark.http.openapi;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.problem.ProblemCode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class OpenApiTest {

    @Test
    void everyFeedHasItsOwnPathInsteadOfTheTemplate() {
        assertThat(document().getMap("paths").keySet().stream().map(Object::toString))
                .contains("/api", "/api/letters", "/api/letters/fresh", "/api/specimens")
                .noneMatch(path -> path.contains("{"));
    }

    @Test
    void theNumberOfNewItemsIsDescribedAsJsonAndAsAStream() {
        JsonPath document = document();
        assertThat(document.getMap("paths.'/api/letters/fresh'.get.responses.'200'.content").keySet().stream()
                        .map(Object::toString))
                .containsExactlyInAnyOrder("application/json", "text/event-stream");
        assertThat(document.getList("paths.'/api/letters/fresh'.get.parameters.name", String.class))
                .contains("cursor", "order", "status", "sent_at.gte")
                .doesNotContain("limit", "fields", "from", "until", "count");
        assertThat(document.getList("paths.'/api/letters/fresh'.get.parameters.findAll { it.required }.name"))
                .isEqualTo(List.of("cursor"));
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
        JsonPath document = document();
        String get = "paths.'/v3/letters'.get.";
        assertThat(document.getList(get + "parameters.findAll { it.required }.name"))
                .isEqualTo(List.of("limit"));
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
        JsonPath document = document();
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
        JsonPath document = document();
        String text = document.prettify();
        assertThat(text.lines()
                        .filter(line -> line.contains("\"$ref\""))
                        .map(line -> line.replaceAll(".*\"#/components/(\\w+)/([^\"]+)\".*", "components.$1.'$2'"))
                        .distinct())
                .isNotEmpty()
                .allSatisfy(path -> assertThat(document.getMap(path)).isNotNull());
    }

    private static List<String> parameters(String feed) {
        return document().getList("paths.'/api/" + feed + "'.get.parameters.name");
    }

    private static JsonPath document() {
        return given().accept("application/json").get("/q/openapi").jsonPath();
    }
}
