package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/** Changes by others appear without a reload, and what is on the screen stays where it is. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class RefreshPageTest extends BrowserTest {

    @Test
    void changesByOthersAppearWhenTheUserReturnsToTheTab() {
        var page = openInbox("/");
        scrollForMore(page);
        scrollTo(page, 700);
        var place = firstOnScreen(page);
        var at = shownIds(page).indexOf(Long.parseLong(place.split(" ")[0]));
        long edited = shownIds(page).get(at + 1);
        long deleted = shownIds(page).get(at + 2);

        insert(2, "Arrived while away");
        change(edited, "subject = 'Edited by a colleague'");
        change(deleted, "deleted_at = now()");
        var last = shownIds(page).get(shownIds(page).size() - 1);
        returnToPage(page);

        assertThat(row(page, edited).locator(".subject")).hasText("Edited by a colleague");
        assertThat(row(page, deleted)).hasCount(0);
        assertThat(firstOnScreen(page)).isEqualTo(place);
        assertThat(page.locator("#pill")).hasText("↑ 2 new messages");
        screenshot(page, "refreshed");
        assertThat(shownIds(page))
                .isEqualTo(ids(
                        "select id from public.messages where deleted_at is null and id >= $1 order by id desc", last));
        page.locator("#pill").click();
        assertThat(page.locator("#feed .row").first()).hasClass("row unread");
        assertThat(page.locator("#pill")).isHidden();
    }

    @Test
    void aMessageThatWasReadIsNotMarkedAsNewAgain() {
        var page = openInbox("/");
        insert(1, "Read once");
        page.locator("#pill").click();
        var first = page.locator("#feed .row").first();
        assertThat(first).hasClass("row unread");
        first.click();
        assertThat(page.locator(".unread")).hasCount(0);

        change(shownIds(page).get(0), "subject = 'Read once, then edited'");
        returnToPage(page);

        assertThat(first.locator(".subject")).hasText("Read once, then edited");
        assertThat(page.locator("#message h2")).hasText("Read once, then edited");
        assertThat(page.locator(".unread")).hasCount(0);
        screenshot(page, "refreshed-message");
    }

    @Test
    void changesAppearAfterTheComputerHasSlept() {
        var page = open("/", new Browser.NewContextOptions().setViewportSize(1440, 900));
        page.clock().install();
        page.reload();
        page.locator("#feed .row").first().waitFor();
        var second = shownIds(page).get(1);

        change(second, "subject = 'Edited in the night'");
        page.clock().fastForward("08:00:00");

        assertThat(row(page, second).locator(".subject")).hasText("Edited in the night");
    }

    @Test
    void aFailedRefreshLeavesTheListAsItIsAndIsRepeated() {
        var page = openInbox("/");
        var before = shownIds(page);
        change(before.get(0), "deleted_at = now()");
        page.route(
                "**/api/messages?*since*",
                route -> route.fulfill(new com.microsoft.playwright.Route.FulfillOptions().setStatus(500)));
        returnToPage(page);
        assertThat(page.locator(".toast")).containsText("The list could not be loaded");
        assertThat(shownIds(page)).isEqualTo(before);
        page.unroute("**/api/messages?*since*");
        page.locator(".toast button").click();

        assertThat(row(page, before.get(0))).hasCount(0);
        discardConsoleErrors();
    }

    private void change(long id, String assignment) {
        database.query("update public.messages set " + assignment + " where id = " + id)
                .executeAndAwait();
    }

    private static com.microsoft.playwright.Locator row(Page page, long id) {
        return page.locator("#feed [data-id='" + id + "']");
    }

    /** Dispatches the event with which the browser reports that the user has returned to the tab. */
    private static void returnToPage(Page page) {
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))");
    }
}
