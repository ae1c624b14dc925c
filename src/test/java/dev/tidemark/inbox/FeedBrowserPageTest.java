package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import com.microsoft.playwright.Page;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class FeedBrowserPageTest extends BrowserTest {

    private static final String COUNT_ROWS = "() => document.querySelectorAll('#rows tr').length";

    @Test
    void aFeedIsScrolledBothWaysFromAJump() {
        var page = openFeedBrowser(1440, 900);
        page.locator("#place").fill("2026-01-10T00:00:00Z");
        page.locator("#jump").selectOption("around");
        page.locator("#query button[type=submit]").click();
        assertThat(page.locator("#log li")).not().hasCount(0);
        page.waitForFunction("() => document.querySelector('#above').textContent !== ''"
                + " || document.querySelectorAll('#rows tr').length > 60");

        var before = rowCount(page);
        page.evaluate("() => document.getElementById('scroller').scrollTop = 0");
        page.waitForFunction("before => document.querySelectorAll('#rows tr').length > before", before);
        before = rowCount(page);
        page.evaluate("() => { const s = document.getElementById('scroller'); s.scrollTop = s.scrollHeight; }");
        page.waitForFunction("before => document.querySelectorAll('#rows tr').length > before", before);

        var shown = itemIds(page);
        assertThat(shown).isEqualTo(ids("""
                        select id from public.messages
                        where deleted_at is null
                          and (created_at, id) <= (select created_at, id from public.messages where id = $1)
                          and (created_at, id) >= (select created_at, id from public.messages where id = $2)
                        order by created_at desc, id desc""", shown.get(0), shown.get(shown.size() - 1)));
    }

    @Test
    void aRequestIsShownAsCurlWithItsTimeItsSqlAndItsPlan() {
        var page = openFeedBrowser(1440, 900);
        page.locator("#order").selectOption("oldest");
        page.locator("[name=status]").fill("open, pending");
        page.locator("[name=status]").blur();

        assertThat(page.locator("#curl"))
                .hasText("curl '" + server + "api/messages?order=oldest&status=open&status=pending'");
        assertThat(page.locator("#request small").first())
                .hasText(Pattern.compile("status 200, [\\d.]+ ms in this browser, of which .* database"));
        assertThat(page.locator("#request .sql").first())
                .containsText(Pattern.compile(
                        "^SELECT .*\nFROM \\(\n.*\n +FROM \"public\".\"messages\"\n +WHERE ", Pattern.DOTALL));
        assertThat(page.locator("#request .plan").first()).containsText("Index Scan");
        assertThat(page.locator("#rows tr").first()).containsText("pen");
        screenshot(page, "feed-browser");
    }

    @Test
    void newItemsAreAnnouncedAndShownAsText() {
        var page = openFeedBrowser(1440, 900);
        insert(3, "<img src=x onerror=alert(1)>");
        assertThat(page.locator("#pill")).hasText("↑ 3 new");
        assertThat(isPillAboveTheList(page)).isTrue();
        screenshot(page, "feed-browser-new");
        page.locator("#pill").click();

        assertThat(page.locator("#pill")).isHidden();
        assertThat(page.locator("#rows tr.new")).hasCount(3);
        assertThat(page.locator("#current")).isVisible();
        assertThat(page.locator("#rows tr").first()).containsText("<img src=x onerror=alert(1)>");
        assertThat(page.locator("#rows img")).hasCount(0);
        assertThat(page.locator("#current")).isHidden();
    }

    @Test
    void aProblemIsShown() {
        var page = openFeedBrowser(1440, 900);
        page.locator("[name='created_at.gte']").fill("yesterday");
        page.locator("[name='created_at.gte']").blur();

        assertThat(page.locator("#below")).containsText("created_at.gte is invalid");
        assertThat(page.locator("#log .bad")).hasText("400");
        screenshot(page, "feed-browser-problem");
        discardConsoleErrors();
    }

    @Test
    void allFiltersCanBeShownOnAPhone() {
        var page = openFeedBrowser(390, 844);
        page.locator("#all-filters").click();

        assertThat(page.locator("[name='subject.contains']")).isInViewport();
        assertThat((Boolean) page.evaluate("""
                () => [...document.querySelectorAll('#filters label')]
                    .every(label => label.getBoundingClientRect().right <= 390)""")).isTrue();
        screenshot(page, "feed-browser-phone-filters");
    }

    @Test
    void thePageFitsAPhone() {
        var page = openFeedBrowser(390, 844);
        assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(390);
        screenshot(page, "feed-browser-phone");
        page.locator("[data-view=requests]").click();

        assertThat(page.locator("#request .plan").first()).isVisible();
        assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(390);
        screenshot(page, "feed-browser-phone-requests");
    }

    @Test
    void aFaultyRequestForAPlanGetsTheSameProblemAsForItsPage() {
        assertProblem("/browse/plan/messages?ordr=newest", 400, "unknown_parameter");
        assertProblem("/browse/plan/mesages", 404, "unknown_feed");
        when().get("/browse/plan/messages?subject.contains=it's")
                .then()
                .statusCode(200)
                .body("statements[0].plan", containsString("Limit"));
    }

    private static void assertProblem(String target, int status, String code) {
        when().get(target).then().statusCode(status).body("code", is(code));
    }

    private Page openFeedBrowser(int width, int height) {
        var page = open("/browse#messages", width, height);
        page.locator("#rows tr").first().waitFor();
        return page;
    }

    private static int rowCount(Page page) {
        return (int) page.evaluate(COUNT_ROWS);
    }

    @SuppressWarnings("unchecked")
    private static List<Long> itemIds(Page page) {
        return ((List<String>)
                        page.evaluate("() => [...document.querySelectorAll('#rows tr')].map(row => row.item.id)"))
                .stream().map(Long::valueOf).toList();
    }
}
