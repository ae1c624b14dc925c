package dev.tidemark.http.json;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class JsonValuesTest {

    @Test
    void nullIsNullInEveryColumn() {
        assertThat(item(1, "small,big,exact,single,twofold,yes,words,token,day,moment,feeling,doc,raw,ints,moments"))
                .isEqualTo("{\"small\":null,\"big\":null,\"exact\":null,\"single\":null,\"twofold\":null,\"yes\":null,"
                        + "\"words\":null,\"token\":null,\"day\":null,\"moment\":null,\"feeling\":null,\"doc\":null,"
                        + "\"raw\":null,\"ints\":null,\"moments\":null}");
    }

    @Test
    void numbersThatJavaScriptCannotRepresentAreStrings() {
        assertThat(item(2, "id,small,big,exact"))
                .isEqualTo("{\"id\":2,\"small\":-32768,\"big\":\"9223372036854775807\",\"exact\":\"1.10\"}");
    }

    @Test
    void floatsAreNumbersWithTheFewestDigitsThatReadBackTheSame() {
        assertThat(item(2, "single,twofold")).isEqualTo("{\"single\":0.1,\"twofold\":0.30000000000000004}");
    }

    @Test
    void valuesThatJsonNumbersCannotExpressAreStrings() {
        assertThat(item(3, "exact,single,twofold"))
                .isEqualTo("{\"exact\":\"NaN\",\"single\":\"NaN\",\"twofold\":\"Infinity\"}");
        assertThat(item(4, "exact,single,twofold"))
                .isEqualTo("{\"exact\":\"Infinity\",\"single\":\"-Infinity\",\"twofold\":-0.0}");
    }

    @Test
    void textIsEscapedForJson() {
        assertThat(item(2, "words,feeling,yes,code"))
                .isEqualTo("{\"yes\":true,\"words\":\"a \\\"quoted\\\" \\\\ line\\nand \u4e16\ud83d\ude00\","
                        + "\"code\":\"ab   \",\"feeling\":\"very happy\"}");
    }

    @Test
    void aTimestampKeepsItsFractionAndIsInUtcIfItHasAZone() {
        assertThat(item(2, "day,at_time,local,moment"))
                .isEqualTo("{\"day\":\"2026-01-16\",\"at_time\":\"10:00:00.5\","
                        + "\"local\":\"2026-01-16T10:00:00.123\",\"moment\":\"2026-01-16T10:00:00.123456Z\"}");
    }

    @Test
    void infinitiesAreText() {
        assertThat(item(3, "day,at_time,local,moment"))
                .isEqualTo("{\"day\":\"infinity\",\"at_time\":\"24:00:00\",\"local\":\"-infinity\","
                        + "\"moment\":\"infinity\"}");
    }

    @Test
    void yearsBeyondFourDigitsHaveASign() {
        assertThat(item(4, "day,local,moment"))
                .isEqualTo("{\"day\":\"-0043-03-15\",\"local\":\"+12026-01-01T00:00:00\","
                        + "\"moment\":\"+0000-12-31T23:59:59.999999Z\"}");
    }

    @Test
    void jsonIsCopiedAndBytesAreBase64AndUnknownTypesAreText() {
        assertThat(item(2, "token,doc,docb,raw,span"))
                .isEqualTo("{\"token\":\"01234567-89ab-cdef-0123-456789abcdef\",\"doc\":{\"a\": [1, null]},"
                        + "\"docb\":{\"b\": 1.50},\"raw\":\"AP8=\",\"span\":\"1 day\"}");
    }

    @Test
    void lineBreaksInJsonAreSpaces() {
        assertThat(get("/api/papers").asString())
                .contains("[{\"id\":1,\"doc\":{   \"a\": \"x\\ny\",    \"b\": [] },\"docs\":[[1, 2]]}]");
    }

    @Test
    void arraysAreJsonArraysOfTheirElements() {
        assertThat(item(2, "ints,bigs,words_list,flags,floats,moods"))
                .isEqualTo("{\"ints\":[[1,2],[3,null]],\"bigs\":[\"9007199254740993\",\"2\"],"
                        + "\"words_list\":[\"\",null,\"NULL\",\"a,b\",\"{}\",\"q\\\"\\\\\"],"
                        + "\"flags\":[true,false],\"floats\":[0.1,\"NaN\"],\"moods\":[\"very happy\",\"sad\"]}");
        assertThat(item(2, "moments,days,raws,docs,boxes"))
                .isEqualTo("{\"moments\":[\"2026-01-16T10:00:00Z\",\"infinity\"],\"days\":[\"-0043-03-15\"],"
                        + "\"raws\":[\"AP8=\"],\"docs\":[{\"a\": \"x,\u00e4\u4e16\ud83d\ude00\"}],"
                        + "\"boxes\":\"{(1,1),(0,0);(3,3),(2,2)}\"}");
    }

    @Test
    void anEmptyArrayIsEmpty() {
        assertThat(item(3, "ints")).isEqualTo("{\"ints\":[]}");
    }

    /** The JSON text of one item, exactly as in the response. */
    private static String item(int id, String fields) {
        String body =
                get("/api/specimens?limit=1&id=" + id + "&fields=" + fields).asString();
        int end = body.indexOf("],\"next_cursor\"");
        assertThat(end).as(body).isPositive();
        return body.substring("{\"items\":[".length(), end);
    }
}
