package dev.tidemark.http.openapi;

import dev.tidemark.http.problem.ProblemCode;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;

/** The problems under the universal protocol: those of the API in another form. */
final class UniversalProblems {

    private UniversalProblems() {}

    /**
     * Adds for each response with a problem, such as {@code BadRequest}, another one: {@code UniversalBadRequest}.
     */
    static void add(JsonObject responses) {
        for (String name : List.copyOf(responses.fieldNames())) {
            JsonObject response = responses.getJsonObject(name);
            if (response.containsKey("content")) {
                responses.put("Universal" + name, convert(response));
            }
        }
    }

    private static JsonObject convert(JsonObject response) {
        JsonObject problems = response.getJsonObject("content").getJsonObject("application/problem+json");
        String description = response.getString("description");
        JsonObject examples = new JsonObject();
        for (String code : problems.getJsonObject("examples").fieldNames()) {
            JsonObject problem =
                    problems.getJsonObject("examples").getJsonObject(code).getJsonObject("value");
            int number = ProblemCode.valueOf(code.toUpperCase(Locale.ROOT)).number();
            description = description.replace("`" + code + "`", "`" + number + "` (`" + code + "`)");
            JsonObject value = new JsonObject()
                    .put("code", number)
                    .put("message", problem.getString("detail"))
                    .putNull("result");
            examples.put(code, new JsonObject().put("value", value));
        }
        JsonObject schema = new JsonObject().put("$ref", "#/components/schemas/UniversalProblem");
        JsonObject content = new JsonObject().put("schema", schema).put("examples", examples);
        return response.copy()
                .put("description", description)
                .put("content", new JsonObject().put("application/json", content));
    }
}
