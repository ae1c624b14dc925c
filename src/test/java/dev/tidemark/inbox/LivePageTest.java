package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes by others appear in the list while a user reads it. */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class LivePageTest extends BrowserTest {

    @ParameterizedTest
    @ValueSource(strings = {"/", "/phone"})
    void changesByOthersAppearInPlaceWhileTheListIsRead(String path) {
        var page = openInbox(path);
        scrollTo(page, 700);
        var place = firstOnScreen(page);
        var shown = shownIds(page);
        var at = shown.indexOf(Long.parseLong(place.split(" ")[0]));

        change(shown.get(at + 1), "subject = 'Edited by a colleague', edited_at = now()");
        assertThat(row(page, shown.get(at + 1)).locator(".subject")).hasText("Edited by a colleague");
        screenshot(page, "live-glow-" + path.length());
        change(shown.get(at + 2), "assignee = 'grace', status = 'closed'");
        change(shown.get(at + 3), "deleted_at = now()");
        insert(2, "Arrived while reading");

        assertThat(row(page, shown.get(at + 2)).locator(".assignee")).hasText("Grace O'Neill");
        assertThat(row(page, shown.get(at + 2)).locator(".badge")).hasText("Closed");
        assertThat(row(page, shown.get(at + 3)).locator(".badge")).hasText("Deleted");
        assertThat(page.locator("#pill")).hasText("↑ 2 new messages");
        assertThat(shownIds(page)).isEqualTo(shown);
        assertThat(firstOnScreen(page)).isEqualTo(place);
        screenshot(page, "live-" + path.length());

        page.locator("#pill").click();
        assertThat(page.locator("#feed .row").first()).hasClass("row unread");
        assertThat(row(page, shown.get(at + 3))).hasCount(0);
        assertThat(page.locator("#pill")).isHidden();
    }

    @Test
    void anEditedRowGlowsOnceAndTheOthersDoNot() {
        var page = openInbox("/");
        var shown = shownIds(page);
        change(shown.get(2), "subject = 'Glows', edited_at = now()");

        assertThat(row(page, shown.get(2))).hasClass(Pattern.compile("glow"));
        assertThat(page.locator("#feed .glow")).hasCount(1);
    }

    @Test
    void theOpenMessageFollowsTheEditsOfOthers() {
        var page = openInbox("/");
        var id = shownIds(page).get(1);
        row(page, id).click();
        assertThat(page.locator("#message .facts")).containsText("#" + id);

        change(id, "subject = 'Edited while open', edited_at = now()");
        assertThat(page.locator("#message h2")).hasText("Edited while open");
        change(id, "deleted_at = now()");
        assertThat(page.locator("#message .badge")).hasText("Deleted");
    }

    @Test
    void aWindowShowsWhatAnotherWindowDoes() {
        var reader = openInbox("/");
        var writer = openInbox("/");
        var id = shownIds(writer).get(4);
        change(id, "status = 'open'");
        for (var page : List.of(reader, writer)) {
            assertThat(row(page, id).locator(".badge")).hasText("Open");
        }
        row(writer, id).click();
        writer.locator("#message").getByLabel("Status").last().selectOption("closed");

        assertThat(row(reader, id).locator(".badge")).hasText("Closed");
    }

    @Test
    void everyWindowShowsTheNewNameOfARenamedPerson() {
        var web = openInbox("/");
        var phone = openInbox("/phone");
        var id = shownIds(web).get(2);
        change(id, "assignee = 'hana', customer_id = 7");
        for (var page : List.of(web, phone)) {
            assertThat(row(page, id).locator(".assignee")).hasText("Hana Novák");
        }
        row(web, id).click();
        var customer = row(web, id).locator(".customer").textContent();
        assertThat(web.locator("#message .sender")).containsText(customer);

        try {
            rename("agents", "handle = 'hana'", "Hana Novák-Li");
            rename("customers", "id = 7", "Zoë & Sons");

            for (var page : List.of(web, phone)) {
                assertThat(row(page, id).locator(".assignee")).hasText("Hana Novák-Li");
                assertThat(row(page, id).locator(".customer")).hasText("Zoë & Sons");
                assertThat(row(page, id).locator(".avatar")).hasText("ZS");
            }
            assertThat(web.locator("#message .sender")).containsText("Zoë & Sons");
            assertThat(web.locator("#assignee option[value=hana]")).hasText("Hana Novák-Li");
            assertThat(web.locator("#message").getByLabel("Assignee").last().locator("option[value=hana]"))
                    .hasText("Hana Novák-Li");
            screenshot(web, "renamed-web");
            screenshot(phone, "renamed-phone");
        } finally {
            rename("agents", "handle = 'hana'", "Hana Novák");
            rename("customers", "id = 7", customer);
        }
    }

    private void rename(String people, String condition, String name) {
        database.preparedQuery("update inbox." + people + " set name = $1 where " + condition)
                .executeAndAwait(Tuple.of(name));
    }

    @Test
    void theTabsShowHowManyMessagesHaveTheirStatus() {
        var page = openInbox("/");
        var open = database.query("select count(*) from public.messages where status = 'open' and deleted_at is null")
                .executeAndAwait()
                .iterator()
                .next()
                .getLong(0);
        assertThat(page.locator("[data-status=open]")).hasText("Open " + (open > 999 ? "999+" : open));
        page.locator("#assignee").selectOption("-");
        database.query("update public.messages set status = 'pending' where assignee is null")
                .executeAndAwait();
        assertThat(page.locator("[data-status=open]")).hasText("Open 0");
        assertThat(page.locator("[data-status=closed]")).hasText("Closed 0");
        var id = shownIds(page).get(2);
        change(id, "status = 'open'");
        assertThat(page.locator("[data-status=open]")).hasText("Open 1");
        screenshot(page, "tab-numbers");
    }

    @Test
    void theTabsShowHowManyMessagesOfASearchHaveTheirStatus() {
        var page = openInbox("/");
        var ids = shownIds(page);
        change(ids.get(1), "subject = 'Okapi', status = 'open'");
        change(ids.get(3), "subject = 'Okapi', status = 'closed'");
        page.locator("#search").fill("okapi");
        assertThat(page.locator("[data-status=open]")).hasText("Open 1");
        assertThat(page.locator("[data-status=pending]")).hasText("Pending 0");
        change(ids.get(1), "status = 'closed'");
        assertThat(page.locator("[data-status=closed]")).hasText("Closed 2");
    }

    @Test
    void aMessageThatLeavesAFilteredListIsNotCalledDeleted() {
        var page = openInbox("/");
        page.locator("[data-status=open]").click();
        assertThat(page.locator("#feed .badge").first()).hasText("Open");
        var shown = shownIds(page);
        change(shown.get(3), "status = 'closed', edited_at = now()");
        change(shown.get(5), "deleted_at = now()");

        assertThat(row(page, shown.get(3)).locator(".badge")).hasText("Closed");
        assertThat(row(page, shown.get(3))).hasClass(Pattern.compile("gone"));
        assertThat(row(page, shown.get(5)).locator(".badge")).hasText("Deleted");
        assertThat(shownIds(page)).isEqualTo(shown);
        screenshot(page, "live-filtered");
        // The page has read the deleted message, which gave status 404.
        discardConsoleErrors();
    }

    @Test
    void nothingMovesWhileOthersEditDeleteAndInsert() {
        var page = openInbox("/");
        scrollTo(page, 1000);
        page.evaluate("""
                () => {
                  const scroller = document.getElementById('scroller');
                  const placeOf = row => `${row.dataset.id} ${row.getBoundingClientRect().top}`;
                  const onScreen = () => [...document.querySelectorAll('#feed .row')]
                      .filter(row => row.getBoundingClientRect().bottom > 300 && row.getBoundingClientRect().top < 800)
                      .map(placeOf).join();
                  const before = onScreen();
                  window.frames = 0;
                  window.moved = [];
                  const check = () => {
                    window.frames++;
                    const now = onScreen();
                    now === before || window.moved.push(now);
                    requestAnimationFrame(check);
                  };
                  requestAnimationFrame(check);
                }""");
        traffic.setRates(new Rates(20, 40, 20));
        var first = shownIds(page).get(0);
        page.locator("#feed .gone")
                .nth(1)
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
        page.locator("#feed .glow")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
        page.locator("#pill").waitFor();

        assertThat(((Number) page.evaluate("() => window.frames")).intValue()).isPositive();
        assertThat((List<?>) page.evaluate("() => window.moved")).isEmpty();
        assertThat(shownIds(page).get(0)).isEqualTo(first);
        screenshot(page, "live-traffic");
    }

    private void change(long id, String assignment) {
        database.query("update public.messages set " + assignment + " where id = " + id)
                .executeAndAwait();
    }

    private static Locator row(Page page, long id) {
        return page.locator("#feed [data-id='" + id + "']");
    }
}
