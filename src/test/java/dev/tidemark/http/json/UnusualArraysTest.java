package dev.tidemark.http.json;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Array types that PostgreSQL does not write in the usual array syntax, or whose elements are arrays themselves. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class UnusualArraysTest {

    @Test
    void arrayTypesWithoutArraySyntaxAreText() {
        assertThat(item(1, "vector")).isEqualTo("{\"vector\":\"1 2 3\"}");
        assertThat(item(2, "oids")).isEqualTo("{\"oids\":\"4 5\"}");
        assertThat(item(4, "squares")).isEqualTo("{\"squares\":\"{(1,1),(0,0);(3,3),(2,2)}\"}");
    }

    @Test
    void anArrayOfADomainOverArraysIsAnArrayOfTexts() {
        assertThat(item(3, "pairs")).isEqualTo("{\"pairs\":[\"{1,2}\",\"{3}\"]}");
    }

    /** The JSON text of one item, exactly as in the response. */
    private static String item(int id, String fields) {
        String body =
                get("/api/oddities?limit=1&id=" + id + "&fields=" + fields).asString();
        int end = body.indexOf("],\"next_cursor\"");
        assertThat(end).as(body).isPositive();
        return body.substring("{\"items\":[".length(), end);
    }
}
