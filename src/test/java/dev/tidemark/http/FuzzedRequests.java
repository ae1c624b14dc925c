package dev.tidemark.http;

import static net.jqwik.api.Arbitraries.frequencyOf;
import static net.jqwik.api.Arbitraries.just;
import static net.jqwik.api.Arbitraries.of;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.http.ApiDescription.Operation;
import dev.tidemark.http.ApiDescription.Parameter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Requests as a description of the API has them, and ever further from it. */
final class FuzzedRequests {

    private static final Arbitrary<String> METHODS = frequencyOf(
            Tuple.of(40, just("GET")),
            Tuple.of(3, just("HEAD")),
            Tuple.of(1, of("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "X-Y")));

    /** What some parser somewhere takes for something else. */
    private static final Arbitrary<String> ODDITIES = of(
            "",
            "0",
            "-0",
            "-1",
            "01",
            "+1",
            "1e3",
            "1e999999",
            "-1e-999999",
            "0x10",
            "NaN",
            "Infinity",
            "infinity",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999",
            "0." + "0".repeat(300) + "1",
            "1".repeat(1_000),
            "null",
            "notnull",
            "true",
            "t",
            "TRUE",
            "[]",
            "{}",
            "\"",
            "'",
            "''; drop table letters; --",
            "\\",
            "%",
            "_",
            "\u0000",
            "a\u0000b",
            "\ud800",
            "\ufffd",
            "\u202e",
            "\ud83d\ude00",
            "e\u0301",
            "\u0131",
            "\uff11",
            "2026-01-01",
            "2026-02-30",
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00+25:00",
            "-infinity",
            "294277-01-01T00:00:00Z",
            "-4714-01-01",
            "+999999999-12-31",
            "24:00:00",
            "00:00:60",
            "01234567-89ab-cdef-0123-456789abcdef",
            "{1,2}",
            "(1,1),(0,0)",
            "1 day",
            ",",
            ",,",
            "id,",
            "id,id",
            "sad",
            "very happy",
            "../../etc/passwd",
            "${jndi:x}",
            "\u001b[31m",
            "a".repeat(9_000));

    private static final Arbitrary<String> TEXT = frequencyOf(
            Tuple.of(3, ODDITIES),
            Tuple.of(2, Arbitraries.strings().all().ofMaxLength(12)),
            Tuple.of(1, Arbitraries.strings().ascii().ofMaxLength(30)),
            Tuple.of(1, Arbitraries.longs().map(Object::toString)),
            Tuple.of(1, Arbitraries.bigDecimals().map(Object::toString)));

    private static final Arbitrary<String> HEADERS = of(
            "Accept: application/json",
            "Accept: text/html",
            "Accept: */*;q=0",
            "Accept: ,;q=,",
            "Accept: a/b/c",
            "Accept-Encoding: gzip;q=x, identity;q=0",
            "Accept-Encoding: br",
            "If-None-Match: *",
            "If-None-Match: \"",
            "If-None-Match: W/\"x\", ,\"",
            "Sec-CH-UA-Mobile: ?0",
            "Sec-CH-UA-Mobile: \u00ff",
            "X-Request-Id: \u00ff",
            "X-Request-Id: ok-1",
            "Content-Type: a/b",
            "Content-Type: ;;",
            "Content-Type: application/json; charset=x",
            "Authorization: Bearer",
            "Authorization: Bearer a.b.c",
            "Authorization: \u00ff",
            "Cookie: a=b; =; ;",
            "Range: bytes=0-1",
            "If-Modified-Since: x",
            "Expect: 100-continue",
            "Expect: x",
            "Origin: null",
            "X-HTTP-Method-Override: DELETE",
            "X-Forwarded-For: x",
            "Forwarded: for=;",
            "Accept-Language: \u00e9",
            "X-Padding: " + "a".repeat(9_000));

    private final List<Operation> operations;
    private final Supplier<String> token;

    /** @param token gives a genuine token of an earlier answer, of whatever list */
    FuzzedRequests(List<Operation> operations, Supplier<String> token) {
        this.operations = operations;
        this.token = token;
    }

    Arbitrary<FuzzedRequest> all() {
        return of(operations).flatMap(operation -> Combinators.combine(
                        METHODS,
                        path(operation),
                        query(operation),
                        HEADERS.list().ofMaxSize(2))
                .as((method, path, query, headers) ->
                        new FuzzedRequest(method, query.isEmpty() ? path : path + '?' + query, headers)));
    }

    private Arbitrary<String> path(Operation operation) {
        return frequencyOf(
                Tuple.of(30, just(operation.path())),
                Tuple.of(1, TEXT.map(text -> operation.path() + encoded(text))),
                Tuple.of(1, TEXT.map(text -> operation.path() + '/' + encoded(text))),
                Tuple.of(1, of("//", "/./", "/../", "/%2e/", "/%2F/", "/;a=b/").map(odd -> odd + operation.path())));
    }

    private Arbitrary<String> query(Operation operation) {
        List<Parameter> known =
                operation.parameters().stream().filter(Parameter::inQuery).toList();
        Arbitrary<String> limit = of("limit=3", "limit=1", "");
        if (known.isEmpty()) {
            return TEXT.map(FuzzedRequests::encoded);
        }
        Arbitrary<List<String>> others = of(known).flatMap(this::pair).list().ofMaxSize(4);
        return Combinators.combine(limit, others)
                .as((first, more) -> first + (first.isEmpty() ? "" : "&") + String.join("&", more))
                .flatMap(FuzzedRequests::maybeMangled);
    }

    private Arbitrary<String> pair(Parameter parameter) {
        Arbitrary<String> name = frequencyOf(
                Tuple.of(30, just(parameter.name())),
                Tuple.of(1, of(".is", ".gte", ".prefix", "[]", "%00", ".").map(end -> parameter.name() + end)),
                Tuple.of(1, TEXT.map(FuzzedRequests::encoded)));
        Arbitrary<String> value =
                parameter.isToken() ? tokens() : frequencyOf(Tuple.of(3, valid(parameter.schema())), Tuple.of(2, TEXT));
        return Combinators.combine(name, value).as((left, right) -> left + '=' + encoded(right));
    }

    private Arbitrary<String> tokens() {
        Arbitrary<String> genuine = Arbitraries.randomValue(random -> token.get());
        return frequencyOf(
                Tuple.of(6, genuine),
                Tuple.of(
                        1,
                        Combinators.combine(genuine, Arbitraries.integers().between(0, 99))
                                .as(FuzzedRequests::altered)),
                Tuple.of(1, Arbitraries.integers().between(0, 20_000).map(Object::toString)),
                Tuple.of(1, TEXT));
    }

    private static String altered(String token, int how) {
        int at = how * token.length() / 100;
        return switch (how % 5) {
            case 0 -> token.substring(0, at);
            case 1 -> token.substring(0, at) + 'A' + token.substring(at);
            case 2 -> token + '=';
            case 3 -> token + token;
            default -> new StringBuilder(token).reverse().toString();
        };
    }

    private static Arbitrary<String> valid(JsonNode schema) {
        if (schema.has("enum")) {
            return of(StreamSupport.stream(schema.get("enum").spliterator(), false)
                    .map(JsonNode::asText)
                    .toList());
        }
        return switch (schema.path("type").asText()) {
            case "integer" -> Arbitraries.integers().between(1, 120).map(Object::toString);
            case "boolean" -> of("true", "false");
            case "array" ->
                valid(schema.path("items")).list().ofMinSize(1).ofMaxSize(3).map(all -> String.join(",", all));
            default -> of("1", "7", "2026-01-01T00:10:00Z", "2026-01-01", "Letter 5", "Letter", "1.5", "x");
        };
    }

    /** Now and then as no encoder would leave it: raw bytes, halves of escapes, other separators. */
    private static Arbitrary<String> maybeMangled(String query) {
        Arbitrary<String> bits =
                of("%", "%4", "%zz", "%ff", "%c3%28", "%u0041", "#", ";", "&&", "=", "?", "|", "\u00e9", "+");
        return frequencyOf(
                Tuple.of(15, just(query)),
                Tuple.of(
                        1,
                        Combinators.combine(bits, Arbitraries.integers().between(0, query.length()))
                                .as((bit, at) -> query.substring(0, at) + bit + query.substring(at))));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
