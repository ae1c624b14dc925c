package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A message is opened from the list or by a link, and written, edited, and deleted. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class MessagePageTest extends BrowserTest {

    @Test
    void aLinkOpensTheListAroundItsMessageAndTheListGrowsUpwards() {
        var page = openInbox("/#message-1500");

        assertThat(page.locator("[data-id='1500']")).hasAttribute("aria-current", "true");
        assertThat(page.locator("#message .facts")).containsText("#1500");
        assertThat(page.locator("#pill")).hasText("↑ Back to the newest");
        var before = shownIds(page).get(0);
        scrollTo(page, 0);
        page.waitForFunction("before => document.querySelector('#feed .row').dataset.id > before", before.toString());
        var shown = shownIds(page);
        assertThat(shown)
                .isEqualTo(ids(
                        "select id from public.messages where deleted_at is null and id between $1 and $2 order by id desc",
                        shown.get(shown.size() - 1),
                        shown.get(0)));
        screenshot(page, "link");
    }

    @Test
    void aListOpenedAroundADeletedMessageIsRestored() {
        var page = openInbox("/#message-1400");
        assertThat(page.locator("[data-id='1400']")).hasAttribute("aria-current", "true");
        page.evaluate("() => history.replaceState(null, '', '/')");
        database.query("delete from public.messages where id = 1400").executeAndAwait();
        page.reload();

        page.locator("#feed .row").first().waitFor();
        discardConsoleErrors();
    }

    @Test
    void aMessageThatFailsToLoadIsNotReportedAsMissing() {
        var page = openInbox("/");
        page.route(
                "**/api/messages?*from_id*",
                route -> route.fulfill(new com.microsoft.playwright.Route.FulfillOptions().setStatus(500)));
        page.evaluate("() => (location.hash = 'message-17')");
        assertThat(page.locator("#message .blank")).containsText("Message 17 could not be loaded");
        page.unroute("**/api/messages?*from_id*");
        button(page, "Try again").click();

        assertThat(page.locator("#message .facts")).containsText("#17");
        discardConsoleErrors();
    }

    @Test
    void theStatusFieldKeepsTheFocusAfterAChange() {
        var page = openInbox("/");
        page.locator("#feed .row").nth(3).click();
        var status = page.locator("#message").getByLabel("Status").last();
        status.focus();
        status.selectOption("pending");
        assertThat(page.locator("#message .badge")).hasText("Pending");
        status.selectOption("closed");
        assertThat(page.locator("#message .badge")).hasText("Closed");

        assertThat(status).isFocused();
    }

    @Test
    void messagesAreWrittenEditedClosedAssignedAndDeleted() {
        var page = openInbox("/");
        page.locator("#write").click();
        page.getByLabel("Subject").fill("Written by hand");
        page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true)).fill("One.\n\nTwo.");
        button(page, "Send").click();
        var row = page.locator("#feed .row").first();
        assertThat(row.locator(".subject")).hasText("Written by hand");

        row.click();
        page.getByLabel("Status", new Page.GetByLabelOptions().setExact(true))
                .last()
                .selectOption("closed");
        assertThat(row.locator(".badge")).hasText("Closed");
        page.locator("#message").getByLabel("Assignee").last().selectOption("grace");
        assertThat(row.locator(".assignee")).hasText("Grace O'Neill");
        button(page, "Edit").click();
        page.locator("#message").getByLabel("Subject").fill("Edited by hand");
        button(page, "Save").click();
        assertThat(row.locator(".subject")).hasText("Edited by hand");
        button(page, "Delete").click();
        assertThat(row.locator(".badge")).hasText("Deleted");
        screenshot(page, "deleted");
        assertThat(singleRow(
                                "select subject, status, assignee, deleted_at is not null from public.messages order by id desc")
                        .deepToString())
                .isEqualTo("[Edited by hand,closed,grace,true]");
        button(page, "Undo").click();
        assertThat(row.locator(".badge")).hasText("Closed");
        assertThat(singleRow("select deleted_at from public.messages order by id desc")
                        .getValue(0))
                .isNull();
    }

    @Test
    void messagesCanBeSelectedAndOpenedByKeyboard() {
        var page = openInbox("/");
        page.keyboard().press("j");
        page.keyboard().press("ArrowDown");
        page.keyboard().press("k");
        page.keyboard().press("j");
        page.keyboard().press("Enter");

        assertThat(page.locator("#feed .row").nth(1)).hasAttribute("aria-current", "true");
        assertThat(page.locator("#message h2")).isFocused();
        page.keyboard().press("Escape");
        assertThat(page.locator("#feed .row").nth(1)).isFocused();
        assertThat(page.getByRole(AriaRole.FEED)).hasAttribute("aria-busy", "false");
        assertThat(page.locator("#feed .row").nth(2)).hasAttribute("aria-setsize", "-1");
        assertThat(page.locator("#feed .row").nth(2)).hasAttribute("aria-posinset", "3");
    }

    @Test
    void markupInMessagesStaysText() {
        insert(1, "<script>document.title = 'taken over'</script><img src=x onerror=alert(1)>");
        insert(1, "invoice \u202efdp.exe with a direction turned over");
        insert(1, "w".repeat(10_000));
        insert(1, "هل يمكنني إرجاع الطلب 4711؟");
        var page = openInbox("/");

        page.locator("#feed .row").nth(1).click();
        assertThat(page.locator("#message h2")).hasText("w".repeat(10_000));
        assertThat(page.locator("#feed .row").nth(3).locator(".subject")).containsText("<script>");
        assertThat(page.locator("#feed .row").nth(3).locator(".row-foot")).containsText("unassigned");
        assertThat(
                        (Boolean)
                                page.evaluate(
                                        "() => document.documentElement.scrollWidth <= innerWidth"
                                                + " && document.querySelector('.detail').scrollWidth <= document.querySelector('.detail').clientWidth"
                                                + " && new Set([...document.querySelectorAll('.row')].map(row => row.offsetHeight)).size === 1"))
                .isTrue();
        assertThat(page).hasTitle(Pattern.compile("Support inbox.*"));
        screenshot(page, "hostile");
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}
