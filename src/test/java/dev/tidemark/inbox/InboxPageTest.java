package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(LiveInbox.class)
class InboxPageTest extends BrowserTest {

    @Test
    void scrolledThroughUnderTrafficItShowsEveryMessageOnceThatStoodThereAllAlong() {
        var page = openInbox("/");
        var atFirst = shown(page).get(0);
        var since = one("select clock_timestamp()").getOffsetDateTime(0);
        traffic.turn(new Rates(60, 30, 40));

        while (shown(page).size() < 1000) {
            scrollOn(page);
        }

        traffic.turn(new Rates(0, 0, 0));
        var shown = shown(page);
        assertThat(shown).doesNotHaveDuplicates().startsWith(atFirst);
        assertThat(shown)
                .containsAll(ids(
                        "select id from public.messages where deleted_at is null and created_at <= $1 and id between $2 and $3",
                        since,
                        shown.get(shown.size() - 1),
                        atFirst));
        assertThat(traffic.done()).isPositive();
    }

    @Test
    void newMessagesAreToldAndTheListStaysUntilItIsAsked() {
        var page = openInbox("/");
        scrollTo(page, 700);
        var place = firstOnScreen(page);

        insert(75, "Arrived");
        assertThat(page.locator("#pill")).hasText("↑ 75 new messages");
        assertThat(firstOnScreen(page)).isEqualTo(place);
        screenshot(page, "new-messages");
        page.locator("#pill").click();

        assertThat(page.locator("#pill")).isHidden();
        assertThat(page.locator("#feed .row").first().locator(".subject")).hasText("Arrived");
        // More than a page has come: scrolling down closes the hole.
        var last = shown(page).get(shown(page).size() - 1);
        while (page.locator(".holed").count() > 0) {
            var rows = shown(page).size();
            page.evaluate("() => document.querySelector('.holed').scrollIntoView({block: 'end'})");
            page.waitForFunction("rows => document.querySelectorAll('#feed .row').length > rows", rows);
        }
        assertThat(shown(page))
                .isEqualTo(ids(
                        "select id from public.messages where deleted_at is null and id >= $1 order by id desc", last));
    }

    @Test
    void everyTabKeepsItsPlaceAlsoAcrossAReload() {
        var page = openInbox("/");
        scrollOn(page);
        scrollTo(page, 2000);
        var all = firstOnScreen(page);

        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Pending"))
                .click();
        assertThat(page.locator("#feed .row .badge").first()).hasText("Pending");
        scrollTo(page, 1111);
        var pending = firstOnScreen(page);
        page.reload();
        page.locator("#feed .row").first().waitFor();

        assertThat(firstOnScreen(page)).isEqualTo(pending);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("All"))
                .click();
        page.locator("#feed .row").first().waitFor();
        assertThat(firstOnScreen(page)).isEqualTo(all);
    }

    @Test
    void aLinkOpensTheListAroundItsMessageAndOneScrollsBackUp() {
        var page = openInbox("/#message-1500");

        assertThat(page.locator("[data-id='1500']")).hasAttribute("aria-current", "true");
        assertThat(page.locator("#message .facts")).containsText("#1500");
        assertThat(page.locator("#pill")).hasText("↑ Back to the newest");
        var before = shown(page).get(0);
        scrollTo(page, 0);
        page.waitForFunction("before => document.querySelector('#feed .row').dataset.id > before", before.toString());
        var shown = shown(page);
        assertThat(shown)
                .isEqualTo(ids(
                        "select id from public.messages where deleted_at is null and id between $1 and $2 order by id desc",
                        shown.get(shown.size() - 1),
                        shown.get(0)));
        screenshot(page, "link");
    }

    @Test
    void aDateIsGoneTo() {
        var page = openInbox("/");
        page.locator("#date").fill("2026-01-05");
        page.waitForFunction("() => document.querySelectorAll('#feed .row').length > 50");

        var first = Long.parseLong(firstOnScreen(page).split(" ")[0]);
        assertThat(firstOnScreen(page)).endsWith(" at 0");
        assertThat(one("select created_at < '2026-01-07' and created_at > '2026-01-04' from public.messages where id = "
                                + first)
                        .getBoolean(0))
                .isTrue();
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
        assertThat(row.locator(".assignee")).hasText("grace");
        button(page, "Edit").click();
        page.locator("#message").getByLabel("Subject").fill("Edited by hand");
        button(page, "Save").click();
        assertThat(row.locator(".subject")).hasText("Edited by hand");
        button(page, "Delete").click();
        assertThat(row.locator(".badge")).hasText("Deleted");
        screenshot(page, "deleted");
        assertThat(one("select subject, status, assignee, deleted_at is not null from public.messages order by id desc")
                        .deepToString())
                .isEqualTo("[Edited by hand,closed,grace,true]");
        button(page, "Undo").click();
        assertThat(row.locator(".badge")).hasText("Closed");
        assertThat(one("select deleted_at from public.messages order by id desc")
                        .getValue(0))
                .isNull();
    }

    @Test
    void theKeyboardIsEnough() {
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
    void whatStrangersWriteStaysText() {
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

    @Test
    void nothingShiftsWhileItIsScrolled() {
        var page = openInbox("/");
        page.evaluate("""
                () => {
                  window.shifted = 0;
                  new PerformanceObserver(list => list.getEntries().forEach(entry => window.shifted += entry.value))
                    .observe({type: 'layout-shift'});
                }""");
        traffic.turn(new Rates(40, 0, 0));
        for (var step = 0; step < 30; step++) {
            page.mouse().move(200, 500);
            page.mouse().wheel(0, 600);
            page.waitForTimeout(30);
        }

        assertThat(((Number) page.evaluate("() => window.shifted")).doubleValue())
                .isZero();
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private void insert(int count, String subject) {
        database.preparedQuery(
                        "insert into public.messages (subject, body) select $2, 'A body.' from generate_series(1, $1)")
                .executeAndAwait(Tuple.of(count, subject));
    }
}
