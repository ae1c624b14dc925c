package dev.tidemark.http.counts;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class CountsTest {

    /** The labels of the enum are in another order than their texts. */
    @Test
    void allValuesThatOccurAreCountedInTheOrderOfTheColumn() {
        assertThat(when().get("/api/letters/counts?by=status").asString())
                .isEqualTo("{\"by\":\"status\",\"counts\":[{\"value\":\"sad\",\"count\":33,\"capped\":false},"
                        + "{\"value\":\"ok\",\"count\":34,\"capped\":false},"
                        + "{\"value\":\"very happy\",\"count\":33,\"capped\":false}],\"complete\":true}");
    }

    @Test
    void nullIsTheLastValue() {
        assertThat(when().get("/api/letters/counts?by=urgent&up-to=20").asString())
                .isEqualTo("{\"by\":\"urgent\",\"counts\":[{\"value\":false,\"count\":20,\"capped\":true},"
                        + "{\"value\":true,\"count\":20,\"capped\":false},"
                        + "{\"value\":null,\"count\":20,\"capped\":false}],\"complete\":true}");
    }

    @ParameterizedTest
    @CsvSource({
        "urgent=true, sad 7 ok 7 very happy 6",
        "urgent.is=null, sad 6 ok 7 very happy 7",
        "id.lte=3&urgent=false, sad 1 very happy 1",
        "id.lt=0, ''",
        "status.is=notnull&id.lte=3, sad 1 ok 1 very happy 1",
        "status=ok, ok 34",
        "status=very%20happy&status=sad&status=very%20happy, very happy 33 sad 33",
        "status=sad&status=ok&id=4, sad 0 ok 1",
        "status=sad&status.is=null, sad 0"
    })
    void filtersApply(String filters, String expected) {
        assertThat(counts("/api/letters/counts?by=status&" + filters)).isEqualTo(expected);
    }

    @Test
    void nullIsNamedByItsFilter() {
        assertThat(counts("/api/letters/counts?by=urgent&urgent.is=null")).isEqualTo("null 20");
        assertThat(counts("/api/letters/counts?by=urgent&urgent.is=null&id.lt=0"))
                .isEqualTo("null 0");
    }

    @Test
    void aColumnThatIsNeverNullHasNoItemsWithNull() {
        assertThat(counts("/api/letters/counts?by=status&status.is=null")).isEqualTo("null 0");
        assertThat(counts("/api/letters/counts?by=id&id.is=null")).isEqualTo("null 0");
    }

    @Test
    void aColumnCanHaveTheNameOfAParameter() {
        assertThat(counts("/api/ballots/counts?by=by")).isEqualTo("ada 1 by 2");
    }

    @Test
    void aHundredValuesAreComplete() {
        JsonDocument all = Pages.read("/api/letters/counts?by=id");
        assertThat(all.getList("counts")).hasSize(100);
        assertThat(all.getBoolean("complete")).isTrue();
    }

    /** Each value has the form of the column in items. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "id", "small", "big", "exact", "single", "twofold", "yes", "words", "code", "token", "day", "at_time",
                "local", "moment", "feeling"
            })
    void valuesHaveTheirFormInItems(String column) {
        Map<Object, Integer> expected = new HashMap<>();
        Pages.read("/api/specimens")
                .getList("items." + column)
                .forEach(value -> expected.merge(String.valueOf(value), 1, Integer::sum));
        JsonDocument counted = Pages.read("/api/specimens/counts?by=" + column);
        List<Object> values = counted.getList("counts.value");
        List<Integer> numbers = counted.getList("counts.count", Integer.class);
        Map<Object, Integer> found = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            found.put(String.valueOf(values.get(i)), numbers.get(i));
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void theAnswerHasAnEntityTag() {
        Response answer = when().get("/api/letters/counts?by=status");
        assertThat(answer.header("Cache-Control")).isEqualTo("private, no-cache");
        assertThat(answer.header("Vary")).isEqualTo("Accept, Accept-Encoding");
        assertThat(answer.header("Server-Timing")).startsWith("db;dur=");
        given().header("If-None-Match", answer.header("ETag"))
                .when()
                .get("/api/letters/counts?by=status")
                .then()
                .statusCode(304);
        given().header("If-None-Match", answer.header("ETag"))
                .when()
                .get("/api/letters/counts?by=status&up-to=1")
                .then()
                .statusCode(200);
        when().head("/api/letters/counts?by=status").then().statusCode(200).header("ETag", answer.header("ETag"));
    }

    @ParameterizedTest
    @CsvSource({
        "urgent=true, missing_parameter, by, by is required",
        "by=subject, not_supported, by, 'status, urgent, id'",
        "by=, not_supported, by, 'status, urgent, id'",
        "by=status&by=urgent, conflicting_parameters, by, ''",
        "by=status&up-to=0, invalid_limit, up-to, from 1 to 1000",
        "by=status&up-to=1001, invalid_limit, up-to, from 1 to 1000",
        "by=status&up-to=some, invalid_limit, up-to, up-to must be a whole number",
        "by=status&upto=9, unknown_parameter, upto, 'the nearest name is \"up-to\"'",
        "by=status&order=newest, unknown_parameter, order, the nearest name is",
        "by=status&cursor=abc, unknown_parameter, cursor, the nearest name is",
        "by=status&around=1, unknown_parameter, around, the nearest name is",
        "by=status&limit=3, unknown_parameter, limit, the nearest name is",
        "by=status&fields=id, unknown_parameter, fields, the nearest name is",
        "by=status&since=abc, unknown_parameter, since, the nearest name is",
        "by=status&until=abc, unknown_parameter, until, the nearest name is",
        "by=status&count=exact, unknown_parameter, count, the nearest name is",
        "by=status&offset=3, unknown_parameter, offset, the nearest name is",
        "by=status&status=odd, invalid_filter, status, ''"
    })
    void whatIsWrongIsNamed(String query, String code, String parameter, String detail) {
        when().get("/api/letters/counts?" + query)
                .then()
                .statusCode(400)
                .body("code", is(code))
                .body("parameter", is(parameter))
                .body("detail", containsString(detail));
    }

    @Test
    void aFeedWithoutCountsSaysSo() {
        when().get("/api/essays/counts?by=title")
                .then()
                .statusCode(400)
                .body("code", is("not_supported"))
                .body("detail", is("this feed is not declared with counts"));
        when().post("/api/letters/counts?by=status").then().statusCode(405);
    }

    private static String counts(String target) {
        JsonDocument answer = Pages.read(target);
        List<Object> values = answer.getList("counts.value");
        List<Integer> counts = answer.getList("counts.count", Integer.class);
        Set<String> texts = new LinkedHashSet<>();
        for (int i = 0; i < values.size(); i++) {
            texts.add(values.get(i) + " " + counts.get(i));
        }
        return String.join(" ", texts);
    }
}
