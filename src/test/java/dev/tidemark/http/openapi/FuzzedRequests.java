package dev.tidemark.http.openapi;

import static net.jqwik.api.Arbitraries.frequencyOf;
import static net.jqwik.api.Arbitraries.just;
import static net.jqwik.api.Arbitraries.of;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.http.ApiDescription.Operation;
import dev.tidemark.http.ApiDescription.Parameter;
import dev.tidemark.http.requests.FuzzedRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Random requests: some follow the description of the API, others deviate from it in one or more ways. */
final class FuzzedRequests {

    private static final Arbitrary<String> METHODS = frequencyOf(
            Tuple.of(40, just("GET")),
            Tuple.of(3, just("HEAD")),
            Tuple.of(1, of("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "X-Y")));

    private final List<Operation> operations;
    private final Supplier<String> earlierTokens;

    /** @param earlierTokens supplies tokens from earlier responses; a token can belong to any list */
    FuzzedRequests(List<Operation> operations, Supplier<String> earlierTokens) {
        this.operations = operations;
        this.earlierTokens = earlierTokens;
    }

    Arbitrary<FuzzedRequest> all() {
        return of(operations).flatMap(operation -> Combinators.combine(
                        METHODS,
                        path(operation),
                        query(operation),
                        OddValues.HEADERS.list().ofMaxSize(2))
                .as((method, path, query, headers) ->
                        new FuzzedRequest(method, query.isEmpty() ? path : path + '?' + query, headers)));
    }

    private Arbitrary<String> path(Operation operation) {
        return frequencyOf(
                Tuple.of(30, just(operation.path())),
                Tuple.of(1, OddValues.TEXT.map(text -> operation.path() + percentEncode(text))),
                Tuple.of(1, OddValues.TEXT.map(text -> operation.path() + '/' + percentEncode(text))),
                Tuple.of(1, of("//", "/./", "/../", "/%2e/", "/%2F/", "/;a=b/").map(odd -> odd + operation.path())));
    }

    private Arbitrary<String> query(Operation operation) {
        List<Parameter> known =
                operation.parameters().stream().filter(Parameter::inQuery).toList();
        Arbitrary<String> limit = of("limit=3", "limit=1", "");
        if (known.isEmpty()) {
            return OddValues.TEXT.map(FuzzedRequests::percentEncode);
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
                Tuple.of(1, OddValues.TEXT.map(FuzzedRequests::percentEncode)));
        Arbitrary<String> value = parameter.isToken()
                ? tokens()
                : frequencyOf(Tuple.of(3, validValues(parameter.schema())), Tuple.of(2, OddValues.TEXT));
        return Combinators.combine(name, value).as((left, right) -> left + '=' + percentEncode(right));
    }

    private Arbitrary<String> tokens() {
        Arbitrary<String> genuine = Arbitraries.randomValue(random -> earlierTokens.get());
        return frequencyOf(
                Tuple.of(6, genuine),
                Tuple.of(
                        1,
                        Combinators.combine(genuine, Arbitraries.integers().between(0, 99))
                                .as(FuzzedRequests::alter)),
                Tuple.of(1, Arbitraries.integers().between(0, 20_000).map(Object::toString)),
                Tuple.of(1, OddValues.TEXT));
    }

    private static String alter(String token, int percent) {
        int at = percent * token.length() / 100;
        return switch (percent % 5) {
            case 0 -> token.substring(0, at);
            case 1 -> token.substring(0, at) + 'A' + token.substring(at);
            case 2 -> token + '=';
            case 3 -> token + token;
            default -> new StringBuilder(token).reverse().toString();
        };
    }

    private static Arbitrary<String> validValues(JsonNode schema) {
        if (schema.has("enum")) {
            return of(StreamSupport.stream(schema.get("enum").spliterator(), false)
                    .map(JsonNode::asText)
                    .toList());
        }
        return switch (schema.path("type").asText()) {
            case "integer" -> Arbitraries.integers().between(1, 120).map(Object::toString);
            case "boolean" -> of("true", "false");
            case "array" ->
                validValues(schema.path("items"))
                        .list()
                        .ofMinSize(1)
                        .ofMaxSize(3)
                        .map(all -> String.join(",", all));
            default -> of("1", "7", "2026-01-01T00:10:00Z", "2026-01-01", "Letter 5", "Letter", "1.5", "x");
        };
    }

    /**
     * The query, sometimes with a part that no encoder writes: a raw character, an incomplete escape, or another
     * separator.
     */
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

    private static String percentEncode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
