package dev.tidemark.http.health;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Await;
import dev.tidemark.http.Metrics;
import dev.tidemark.http.Pages;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The dashboard and the alerts query only metrics and labels that exist. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class DashboardTest {

    private static final Path DASHBOARD = Path.of("src/main/grafana/tidemark.json");
    private static final Path ALERTS = Path.of("src/main/prometheus/alerts.yaml");

    /**
     * A metric with its label matchers in braces. In the queries, each metric must have braces, even if they are
     * empty.
     */
    private static final Pattern SELECTED_METRIC = Pattern.compile("([a-z][a-z_]*)\\{([^}]*)}");

    private static final Pattern LABEL_MATCHER = Pattern.compile("([a-z_]+)(?:=~|!~|!=|=)\"[^\"]*\"");

    /** Labels that Prometheus adds. */
    private static final Set<String> PROMETHEUS_LABELS = Set.of("instance", "job");

    @Test
    @Timeout(60)
    void everyPanelQueriesExistingMetrics() throws IOException {
        var wanted = selectedSeries(panels().stream()
                .flatMap(panel -> stream(panel.path("targets")))
                .map(target -> target.required("expr").textValue())
                .collect(Collectors.joining("\n")));
        assertThat(wanted).hasSizeGreaterThan(20);
        assertExported(wanted);
    }

    @Test
    @Timeout(60)
    void everyAlertQueriesExistingMetrics() throws IOException {
        var wanted = selectedSeries(Files.readString(ALERTS));
        assertThat(wanted.remove("up job")).isTrue();
        assertThat(wanted).hasSizeGreaterThan(4);
        assertExported(wanted);
    }

    @Test
    void everyPanelHasAQuery() throws IOException {
        assertThat(panels()).hasSizeGreaterThan(10).allSatisfy(panel -> assertThat(panel.path("targets"))
                .isNotEmpty());
    }

    private static void assertExported(Set<String> wanted) {
        String top = Pages.read("/api/letters").getString("cursors.top");
        // The metrics of streams exist after the first request for new items.
        get("/api/letters/fresh?cursor=" + top);
        // The metrics of live windows exist after the first request for one.
        given().accept("text/event-stream").when().head("/api/cards/live");
        // The metrics of counts by value exist after the first request for some.
        get("/api/letters/counts?by=status");
        // The metrics of exports exist after the first export.
        given().accept("application/x-ndjson").when().get("/api/letters");
        // The metric of garbage collection pauses exists after the first pause.
        System.gc();
        var missing = new TreeSet<>(wanted);
        Await.until("the server exports " + wanted, () -> {
            missing.removeAll(exportedSeries());
            return missing.isEmpty();
        });
    }

    /**
     * The exported metrics: each metric alone, such as {@code tidemark_pages_total}, and with each of its labels, such
     * as {@code tidemark_pages_total feed}.
     */
    private static Set<String> exportedSeries() {
        var served = new TreeSet<String>();
        Metrics.all().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            String name = line.split("[{ ]", 2)[0];
            served.add(name);
            LABEL_MATCHER.matcher(line).results().forEach(label -> served.add(name + ' ' + label.group(1)));
        });
        return served;
    }

    private static Set<String> selectedSeries(String expressions) {
        var selected = new TreeSet<String>();
        SELECTED_METRIC.matcher(expressions).results().forEach(found -> {
            selected.add(found.group(1));
            LABEL_MATCHER
                    .matcher(found.group(2))
                    .results()
                    .map(label -> label.group(1))
                    .filter(label ->
                            !PROMETHEUS_LABELS.contains(label) || found.group(1).equals("up"))
                    .forEach(label -> selected.add(found.group(1) + ' ' + label));
        });
        selected.remove("up");
        // This server reads from a single database host, so these metrics do not exist.
        selected.removeIf(metric -> metric.startsWith("tidemark_host_"));
        return selected;
    }

    private static List<JsonNode> panels() throws IOException {
        var panels = new ArrayList<JsonNode>();
        for (JsonNode panel : new ObjectMapper().readTree(DASHBOARD.toFile()).required("panels")) {
            if (!panel.path("type").asText().equals("row")) {
                panels.add(panel);
            }
        }
        return panels;
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
