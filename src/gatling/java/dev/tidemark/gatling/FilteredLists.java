package dev.tidemark.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * Simulates the tabs of the inbox: each user repeatedly reads up to three pages of a random filtered list. Every item
 * must match the filter.
 */
public class FilteredLists extends Simulation {

    private static final int PAGES = 3;

    /** @param query the filter as part of the URL */
    private record Tab(String name, String query, Predicate<JsonNode> matches) {}

    private static final List<Tab> TABS = List.of(
            new Tab("open", "status=open", item -> is(item, "status", "open")),
            new Tab("closed", "status=closed", item -> is(item, "status", "closed")),
            new Tab("mine", "assignee=amara", item -> is(item, "assignee", "amara")),
            new Tab("unassigned", "assignee.is=null", item -> item.required("assignee")
                    .isNull()),
            new Tab("by last edit", "order=edited&status=pending", item -> is(item, "status", "pending")),
            new Tab("open or pending", "status=open&status=pending", item -> !is(item, "status", "closed")),
            new Tab(
                    "of one week",
                    "created_at.gte=2026-01-01T00:00:00Z&created_at.lt=2026-01-08T00:00:00Z",
                    item -> item.required("created_at").textValue().startsWith("2026-01-0")));

    {
        setUp(scenario("filtered lists")
                        .during(Settings.DURATION)
                        .on(exec(session -> session.set("tab", randomTab()))
                                .exec(TABS.stream()
                                        .map(FilteredLists::readPages)
                                        .toList()))
                        .injectClosed(
                                constantConcurrentUsers(Settings.users(64)).during(1)))
                .protocols(Settings.protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    private static Tab randomTab() {
        return TABS.get(ThreadLocalRandom.current().nextInt(TABS.size()));
    }

    private static ChainBuilder readPages(Tab tab) {
        PageRequests.Expectation matching = (page, session) -> PageResponse.require(
                page.items().stream().allMatch(tab.matches()), "an item does not match the filter");
        return doIf(session -> tab.equals(session.get("tab")))
                .then(exec(PageRequests.withQuery("first, " + tab.name(), tab.query(), matching))
                        .repeat(PAGES - 1)
                        .on(doIf(PageRequests::hasNext)
                                .then(PageRequests.next("next, " + tab.name(), '&' + tab.query(), matching))));
    }

    private static boolean is(JsonNode item, String member, String value) {
        return value.equals(item.required(member).textValue());
    }
}
