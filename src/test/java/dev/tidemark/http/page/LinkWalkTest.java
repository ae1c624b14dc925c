package dev.tidemark.http.page;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.http.JsonDocument;
import dev.tidemark.http.RawRequest;
import dev.tidemark.http.TestFeedsResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that only follows links. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class LinkWalkTest {

    private static final Pattern LINK = Pattern.compile("<([^>]*)>; rel=\"(\\w+)\"");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/letters?",
                "/api/letters/?",
                "/api/letters?order=oldest&",
                "/api/letters?status=sad&status=very%20happy&",
                "/api/letters?status=sad&status=very+happy&fields=id,status&",
                "/api/letters?subject.contains=%65r%201&urgent.is=notnull&"
            })
    void linksLeadThroughTheWholeListAndBack(String list) {
        List<String> all = ids(page(list + "limit=100"));
        List<Response> forward = walk(list + "limit=7", "next");
        assertThat(ids(forward)).isEqualTo(all);
        String end = list + "limit=7&cursor="
                + JsonDocument.of(forward.get(forward.size() - 1)).getString("cursors.last");
        List<Response> back = new ArrayList<>(walk(end, "prev"));
        Collections.reverse(back);
        assertThat(ids(back)).isEqualTo(all);
        String first = link(back.get(0), "first").orElseThrow();
        assertThat(page(first).asByteArray()).isEqualTo(page(list + "limit=7").asByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"from=2026-01-01T00:12:00Z", "around=2026-01-01T00:12:00Z", "from_id=50", "around_id=50"})
    void linksLeadFromAJumpToTheEndAndBackToTheStart(String jump) {
        List<String> all = ids(page("/api/letters?limit=100"));
        String start = "/api/letters?limit=7&" + jump;
        List<String> onwards = ids(walk(start, "next"));
        assertThat(onwards).isEqualTo(all.subList(all.size() - onwards.size(), all.size()));
        List<Response> back = new ArrayList<>(walk(start, "prev"));
        Collections.reverse(back);
        List<String> before = ids(back);
        assertThat(before).isEqualTo(all.subList(0, before.size()));
        assertThat(link(page(start), "first")).contains("/api/letters?limit=7");
    }

    @Test
    void linksLeadUpToABookmarkAndBackToTheStart() {
        List<String> all = ids(page("/api/letters?limit=100"));
        String end = JsonDocument.of(page("/api/letters?limit=40")).getString("cursors.last");
        List<Response> pages = walk("/api/letters?limit=7&until=" + end, "next");
        assertThat(ids(pages)).isEqualTo(all.subList(0, 40));
        List<Response> back =
                new ArrayList<>(walk(link(pages.get(pages.size() - 1), "prev").orElseThrow(), "prev"));
        Collections.reverse(back);
        assertThat(ids(back)).isEqualTo(all.subList(0, 35));
    }

    @Test
    void aLinkKeepsTheCount() {
        assertThat(ids(walk("/api/notes?limit=7&count=exact", "next"))).hasSize(30);
        String next = link(page("/api/notes?limit=7&count=exact"), "next").orElseThrow();
        assertThat(JsonDocument.of(page(next)).getInt("count.value")).isEqualTo(20);
    }

    @Test
    void nextAndPrevLinksExistOnlyIfThatWayHasItems() {
        Response first = page("/api/letters?limit=60");
        assertThat(link(first, "prev")).isEmpty();
        Response last = page(link(first, "next").orElseThrow());
        assertThat(link(last, "next")).isEmpty();
        assertThat(link(last, "prev")).isPresent();
        Response nothing = page("/api/letters?id=4711");
        nothing.then().header("Link", "</api/letters?id=4711>; rel=\"first\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"//api/letters", "///api/letters", "http://elsewhere/api/letters"})
    void aLinkCannotLeadToAnotherServer(String target) {
        assertThat(RawRequest.get(target).header("Link").orElseThrow())
                .startsWith("</api/letters?cursor=")
                .endsWith("</api/letters>; rel=\"first\"");
    }

    private static List<Response> walk(String start, String relation) {
        List<Response> pages = new ArrayList<>();
        Optional<String> next = Optional.of(start);
        while (next.isPresent()) {
            assertThat(pages).hasSizeLessThan(200);
            pages.add(page(next.get()));
            next = link(pages.get(pages.size() - 1), relation);
        }
        return pages;
    }

    private static Optional<String> link(Response page, String relation) {
        return LINK.matcher(page.header("Link"))
                .results()
                .filter(link -> link.group(2).equals(relation))
                .map(link -> link.group(1))
                .findFirst();
    }

    private static Response page(String target) {
        Response page = get(target);
        assertThat(page.statusCode()).as(target).isEqualTo(200);
        return page;
    }

    private static List<String> ids(List<Response> pages) {
        return pages.stream().flatMap(page -> ids(page).stream()).toList();
    }

    private static List<String> ids(Response page) {
        return JsonDocument.of(page).getList("items.id");
    }
}
