package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pages in various states: wide or narrow, dark, offline, after a failure, and without messages. With {@code
 * -Dscreenshots=true}, the test writes screenshots to {@code target/screenshots}.
 */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class PageStatesTest extends BrowserTest {

    /** Whether the text of an element is brighter than its background. */
    private static final String IS_DARK = """
            element => {
              const brightness = colour => colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
              const style = getComputedStyle(element);
              return style.backgroundColor !== 'rgba(0, 0, 0, 0)' && brightness(style.color) > brightness(style.backgroundColor);
            }""";

    @Test
    void theWidePageShowsThePhoneView() {
        var page = openInbox("/");
        assertThat(page.frameLocator("iframe").locator("#feed .row").first()).isVisible();
        screenshot(page, "wide");
    }

    @Test
    void thePageFollowsTheDarkColorScheme() {
        var page = open(
                "/", new Browser.NewContextOptions().setViewportSize(1440, 900).setColorScheme(ColorScheme.DARK));
        page.locator("#feed .row").nth(2).click();
        assertThat(page.frameLocator("iframe").locator("#feed .row").first()).isVisible();
        assertThat(page.locator("body").evaluate(IS_DARK)).isEqualTo(true);
        assertThat(page.frameLocator("iframe").locator("body").evaluate(IS_DARK))
                .isEqualTo(true);
        screenshot(page, "dark");
    }

    @Test
    void onThePhoneAMessageCoversTheListAndBackReturnsToIt() {
        var page = openPhonePage("/phone", 390);
        screenshot(page, "phone");
        page.locator("#feed .row").nth(1).tap();
        assertThat(page.locator("#message h2")).isVisible();
        assertThat(page.locator("#feed")).not().isVisible();
        screenshot(page, "phone-message");
        page.goBack();
        assertThat(page.locator("#feed")).isVisible();
        assertThat(page.locator("#message")).isHidden();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/phone", "/lab"})
    void nothingIsWiderThanASmallPhone(String path) {
        var page = path.equals("/lab") ? open(path, 360, 700) : openPhonePage(path, 360);
        assertThat((Boolean) page.evaluate("() => document.documentElement.scrollWidth <= 360"))
                .isTrue();
        screenshot(page, "narrow-" + (path.equals("/") ? "inbox" : path.substring(1)));
    }

    @Test
    void theListStaysWhileOfflineAndContinuesOnceOnline() {
        var page = openInbox("/");
        page.context().setOffline(true);
        assertThat(page.locator("#offline")).isVisible();
        assertThat(page.locator("#current")).isHidden();
        page.evaluate("() => { const s = document.getElementById('scroller'); s.scrollTop = s.scrollHeight; }");
        var before = page.locator("#feed .row").count();
        screenshot(page, "offline");
        page.context().setOffline(false);

        page.waitForFunction("before => document.querySelectorAll('#feed .row').length > before", before);
        assertThat(page.locator("#offline")).isHidden();
        assertThat(page.locator("#current")).isVisible();
        discardConsoleErrors();
    }

    @Test
    void aServerFailureIsShownAndCanBeRetried() {
        var page = openInbox("/");
        page.route(
                "**/api/messages?*",
                route -> route.fulfill(new com.microsoft.playwright.Route.FulfillOptions()
                        .setStatus(500)
                        .setHeaders(Map.of("Content-Type", "application/problem+json"))
                        .setBody("{\"code\":\"internal\",\"detail\":\"the server's log says more\"}")));
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Open"))
                .first()
                .click();
        assertThat(page.locator(".trouble")).containsText("The list could not be loaded.");
        assertThat(page.locator("#current")).isHidden();
        screenshot(page, "error");
        page.unroute("**/api/messages?*");
        page.locator(".trouble button").click();

        assertThat(page.locator("#feed .badge").first()).hasText("Open");
        discardConsoleErrors();
    }

    @Test
    void aFailedRefreshIsShownInTheVisibleArea() {
        var page = openInbox("/");
        database.query("insert into public.messages (subject, body) values ('Late', 'A body.')")
                .executeAndAwait();
        page.locator("#pill").waitFor();
        page.route(
                "**/api/messages?*until*",
                route -> route.fulfill(new com.microsoft.playwright.Route.FulfillOptions().setStatus(500)));
        page.locator("#pill").click();
        assertThat(page.locator(".toast")).containsText("The list could not be loaded");
        page.unroute("**/api/messages?*until*");
        page.locator(".toast button").click();

        assertThat(page.locator("#feed .subject").first()).hasText("Late");
        discardConsoleErrors();
    }

    @Test
    void aFailureAtTheTopStaysShownAfterReadingOn() {
        var page = openInbox("/#message-1500");
        page.locator("[data-id='1500'][aria-current]").waitFor();
        page.route(
                "**/api/messages?*cursor*",
                route -> route.fulfill(new com.microsoft.playwright.Route.FulfillOptions().setStatus(500)));
        scrollTo(page, 0);
        page.locator("#above .trouble").waitFor();
        page.unroute("**/api/messages?*cursor*");
        scrollForMore(page);
        page.waitForFunction("() => document.getElementById('feed').ariaBusy === 'false'");

        assertThat(page.locator("#above .trouble")).hasCount(1);
        discardConsoleErrors();
    }

    @Test
    void anEmptyListIsDescribedAsEmpty() {
        database.query("update public.messages set status = 'closed' where status = 'pending' and assignee = 'julia'")
                .executeAndAwait();
        var page = openInbox("/");
        page.locator("[data-status=pending]").click();
        page.locator("#assignee").selectOption("julia");
        assertThat(page.locator(".blank")).containsText("No messages here");
        screenshot(page, "empty");
    }

    private Page openPhonePage(String path, int width) {
        var page = open(
                path,
                new Browser.NewContextOptions()
                        .setViewportSize(width, 800)
                        .setHasTouch(true)
                        .setIsMobile(true)
                        .setDeviceScaleFactor(2));
        page.locator("#feed .row").first().waitFor();
        return page;
    }
}
