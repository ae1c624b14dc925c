package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        setFilter(page, "status", "open, pending");

        assertThat(page.locator("#filtered")).hasText("status is open, pending");
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
    void itemsAreCountedByAColumnUnderTheFilters() {
        var page = openFeedBrowser(1440, 900);
        assertThat(page.locator("#counts")).isHidden();
        setFilter(page, "status", "open, pending");
        page.locator("#by").selectOption("status");
        assertThat(page.locator("#counts")).hasText("open: 100+ · pending: 100+");
        setFilter(page, "assignee", "nobody at all");
        assertThat(page.locator("#counts")).hasText("open: 0 · pending: 0");
        screenshot(page, "feed-browser-counts");
    }

    @Test
    void newItemsAreAnnouncedAndShownAsText() {
        var page = openFeedBrowser(1440, 900);
        assertThat(page.locator("#current")).isVisible();
        insert(3, "<img src=x onerror=alert(1)>");
        assertThat(page.locator("#pill")).hasText("↑ 3 new");
        assertThat(page.locator("#current")).isHidden();
        assertThat(isPillAboveTheList(page)).isTrue();
        screenshot(page, "feed-browser-new");
        page.locator("#pill").click();

        assertThat(page.locator("#pill")).isHidden();
        assertThat(page.locator("#rows tr.new")).hasCount(3);
        assertThat(page.locator("#rows tr").first()).containsText("<img src=x onerror=alert(1)>");
        assertThat(page.locator("#rows img")).hasCount(0);
    }

    @Test
    void aProblemIsShown() {
        var page = openFeedBrowser(1440, 900);
        setFilter(page, "created_at.gte", "yesterday");

        assertThat(page.locator("#below")).containsText("created_at.gte is invalid");
        assertThat(page.locator("#log .bad")).hasText("400");
        screenshot(page, "feed-browser-problem");
        discardConsoleErrors();
    }

    @ParameterizedTest
    @CsvSource({"1280, 800, LIGHT", "1280, 800, DARK", "390, 844, LIGHT", "844, 390, LIGHT"})
    void theFiltersOpenInAPanelThatNothingCuts(int width, int height, ColorScheme scheme) {
        var page = open(
                "/browse#messages",
                new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme));
        page.locator("#rows tr").first().waitFor();
        page.locator("#open-filters").click();

        assertThat(page.locator("#fields label")).hasCount(13);
        for (var field : page.locator("#fields label").all()) {
            field.scrollIntoViewIfNeeded();
            assertThat(field).isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
        }
        screenshot(page, "feed-browser-filters-" + width + "-" + scheme.name().toLowerCase(Locale.ROOT));
        page.mouse().click(width - 5, height - 5);
        assertThat(page.locator("#filters")).isHidden();
    }

    @Test
    void theFiltersAreSetWithTheKeyboard() {
        var page = openFeedBrowser(1280, 800);
        page.locator("#open-filters").focus();
        page.keyboard().press("Enter");
        page.keyboard().press("Tab");
        assertThat(page.locator("#fields input").first()).isFocused();
        page.keyboard().type("hana");
        page.keyboard().press("Escape");

        assertThat(page.locator("#filters")).isHidden();
        assertThat(page.locator("#open-filters")).isFocused();
        assertThat(page.locator("#filtered")).hasText("assignee is hana");
        assertThat(page.locator("#curl")).containsText("assignee=hana");
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

    private static void setFilter(Page page, String name, String value) {
        page.locator("#open-filters").click();
        page.locator("[name='" + name + "']").fill(value);
        page.keyboard().press("Escape");
        assertThat(page.locator("#filters")).isHidden();
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
