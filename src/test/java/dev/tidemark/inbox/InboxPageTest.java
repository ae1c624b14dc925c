package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitUntilState;
import dev.tidemark.Await;
import dev.tidemark.Slow;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class InboxPageTest extends BrowserTest {

    @Test
    void aScrollUnderTrafficShowsEveryUnchangedMessageOnce() {
        var page = openInbox("/");
        var atFirst = shownIds(page).get(0);
        var since = singleRow("select clock_timestamp()").getOffsetDateTime(0);
        traffic.setRates(new Rates(60, 30, 40));

        while (shownIds(page).size() < 1000) {
            scrollForMore(page);
        }

        traffic.setRates(new Rates(0, 0, 0));
        var shown = shownIds(page);
        assertThat(shown).doesNotHaveDuplicates().startsWith(atFirst);
        assertThat(shown)
                .containsAll(ids(
                        "select id from public.messages where deleted_at is null and created_at <= $1 and id between $2 and $3",
                        since,
                        shown.get(shown.size() - 1),
                        atFirst));
        assertThat(traffic.changesMade()).isPositive();
    }

    @Test
    void newMessagesAreAnnouncedAndTheListStaysUntilTheUserRefreshes() {
        var page = openInbox("/");
        scrollTo(page, 700);
        var place = firstOnScreen(page);

        insert(75, "Arrived");
        assertThat(page.locator("#pill")).hasText("↑ 75 new messages");
        assertThat(page.locator("#current")).isHidden();
        assertThat(firstOnScreen(page)).isEqualTo(place);
        screenshot(page, "new-messages");
        page.locator("#pill").click();

        assertThat(page.locator("#pill")).isHidden();
        assertThat(page.locator("#current")).isVisible();
        assertThat(page.locator("#feed .row").first().locator(".subject")).hasText("Arrived");
        // More than a page of new messages has arrived, which leaves a hole: scrolling down fills it.
        var last = shownIds(page).get(shownIds(page).size() - 1);
        while (page.locator(".holed").count() > 0) {
            var rows = shownIds(page).size();
            page.evaluate("() => document.querySelector('.holed').scrollIntoView({block: 'end'})");
            page.waitForFunction("rows => document.querySelectorAll('#feed .row').length > rows", rows);
        }
        assertThat(shownIds(page))
                .isEqualTo(ids(
                        "select id from public.messages where deleted_at is null and id >= $1 order by id desc", last));
    }

    /** A page of a search looks at a thousand messages, and the one that is found is the oldest of ten thousand. */
    @Test
    void aSearchGoesOnByItselfUntilItFindsAnOldMessage() {
        // The simulated traffic of another test may have deleted it.
        singleRow("update public.messages set subject = 'A quagga', deleted_at = null where id = 3 returning id");
        var page = openInbox("/");
        page.locator("#search").fill("quagga");
        page.waitForFunction("() => document.querySelectorAll('#feed .row').length === 1");
        assertThat(shownIds(page)).containsExactly(3L);
        assertThat(page.locator("#below")).containsText("This is the end of the list");
        screenshot(page, "search");
        page.locator("#search").fill("quagga nowhere");
        assertThat(page.locator("#below")).containsText("No message has all of these words.");
        page.locator("#search").fill("");
        page.waitForFunction("() => document.querySelectorAll('#feed .row').length > 20");
    }

    @Test
    void everyTabKeepsItsPositionAcrossAReload() {
        var page = openInbox("/");
        scrollForMore(page);
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
    void theNumberOfNewMessagesStaysVisibleWhileScrolling() {
        var page = openInbox("/");
        insert(3, "Arrived");
        assertThat(page.locator("#pill")).hasText("↑ 3 new messages");
        page.evaluate("""
                () => {
                  window.hiddenChanges = 0;
                  new MutationObserver(() => window.hiddenChanges++)
                      .observe(document.getElementById('pill'), {attributeFilter: ['hidden']});
                }""");
        scrollForMore(page);
        scrollForMore(page);

        assertThat(page.evaluate("() => window.hiddenChanges")).isEqualTo(0);
    }

    @Test
    void leavingBeforeTheReloadFinishesKeepsThePosition() {
        var page = openInbox("/");
        scrollTo(page, 1500);
        var place = firstOnScreen(page);
        page.reload(new Page.ReloadOptions().setWaitUntil(WaitUntilState.COMMIT));
        // Chromium refuses a reload by DevTools while it replaces the page, so the page reloads itself.
        page.evaluate("() => { window.isLeft = true; location.reload(); }");
        page.waitForFunction("() => !window.isLeft && document.querySelector('#feed .row')");

        assertThat(firstOnScreen(page)).isEqualTo(place);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/phone"})
    void afterAReloadTheWholeListComesBackAndOnlyWhatHasChangedIsRead(String path) {
        var page = openInbox(path);
        scrollForMore(page);
        scrollForMore(page);
        scrollTo(page, 3000);
        var place = firstOnScreen(page);
        var shown = shownIds(page);
        var onScreen = Long.parseLong(place.split(" ")[0]);
        var pageRequests = new ArrayList<String>();
        page.onRequest(request -> {
            if (request.frame() == page.mainFrame() && request.url().contains("/api/messages?")) {
                pageRequests.add(request.url());
            }
        });
        page.navigate("about:blank");
        database.query("update public.messages set subject = 'Edited during the reload' where id = " + onScreen)
                .executeAndAwait();
        insert(2, "Arrived during the reload");
        page.goBack();
        page.locator("#feed .row").first().waitFor();

        assertThat(firstOnScreen(page)).isEqualTo(place);
        assertThat(shownIds(page)).isEqualTo(shown);
        assertThat(page.locator("#feed [data-id='" + onScreen + "'] .subject")).hasText("Edited during the reload");
        assertThat(page.locator("#pill")).hasText("↑ 2 new messages");
        assertThat(firstOnScreen(page)).isEqualTo(place);
        assertThat(shownIds(page)).isEqualTo(shown);
        // The stream sends the edited message. The new ones are read when the stream has named them.
        assertThat(pageRequests).allMatch(url -> url.contains("from_id"));
        screenshot(page, "restored-" + path.length());
    }

    @Test
    void aJumpToADateShowsItsMessages() {
        var page = openInbox("/");
        page.locator("#date").fill("2026-01-05");
        page.waitForFunction("() => document.querySelectorAll('#feed .row').length > 50");

        var first = Long.parseLong(firstOnScreen(page).split(" ")[0]);
        assertThat(firstOnScreen(page)).endsWith(" at 0");
        assertThat(singleRow(
                                "select created_at < '2026-01-07' and created_at > '2026-01-04' from public.messages where id = "
                                        + first)
                        .getBoolean(0))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1280})
    void thePlaceAboveTheListSaysThatItIsUpToDateOrOffersNewMessagesAndCoversNone(int width) {
        var page = open("/", width, 800);
        page.locator("#feed .row").first().waitFor();
        var before = firstOnScreen(page);
        var top = listTop(page);
        assertThat(page.locator("#current")).hasText("Up to date");
        assertThat(page.locator("#current")).isVisible();
        screenshot(page, "up-to-date-" + width);
        insert(3, "New");
        page.locator("#pill").waitFor();

        page.waitForFunction("() => document.getAnimations().length === 0");
        assertThat(page.locator("#current")).isHidden();
        assertThat(isPillAboveTheList(page)).isTrue();
        assertThat(firstOnScreen(page)).isEqualTo(before);
        assertThat(listTop(page)).isEqualTo(top);
        screenshot(page, "pill-" + width);
    }

    @Test
    void theInboxAndTheFeedBrowserLinkToEachOther() {
        var page = open("/", 390, 844);
        page.locator(".pages a[href='/browse#messages']").click();
        page.locator("#rows tr").first().waitFor();
        page.locator("#inbox").click();

        page.locator("#feed .row").first().waitFor();
    }

    private static double listTop(Page page) {
        return page.locator("#scroller").boundingBox().y;
    }

    @Test
    @Slow
    void trafficThatWasSwitchedOnOnAPageGoesOnUntilTheLastPageIsClosed() {
        var first = openInbox("/");
        var second = openInbox("/");
        first.locator("#traffic").click();
        assertThat(second.locator("#traffic")).hasAttribute("aria-checked", "true");
        first.close();
        var done = traffic.changesMade();
        Await.until(
                "it has gone on for longer than without a page",
                () -> traffic.changesMade() > done + 3 * 2 * ChangeableInboxProfile.TRAFFIC_ATTENTION.toSeconds());
        second.close();

        Await.until("it has stopped", () -> traffic.rates().sum() == 0);
    }

    /** The numbers arrive after the page, and change while a user reads. */
    @Test
    void theTabsStayInPlaceWhenTheirNumbersArrive() {
        var page = openInbox("/");
        var places = """
                number => [...document.querySelectorAll('.tabs button')].map(tab => {
                  const shown = tab.querySelector('.number');
                  shown && (shown.textContent = number);
                  const label = document.createRange();
                  label.selectNode(tab.firstChild);
                  return [tab, label].map(it => it.getBoundingClientRect()).map(({left, right}) => [left, right]);
                })""";

        var empty = page.evaluate(places, "");

        assertThat(page.evaluate(places, "7")).isEqualTo(empty);
        assertThat(page.evaluate(places, "999+")).isEqualTo(empty);
    }

    /** Excludes the number in the button above the list, because its digits differ in width. */
    @Test
    void scrollingCausesNoLayoutShift() {
        var page = openInbox("/");
        page.evaluate("""
                () => {
                  window.shifted = [];
                  new PerformanceObserver(list => list.getEntries().flatMap(entry => entry.sources).forEach(({node}) => {
                    const element = node?.nodeType === 1 ? node : node?.parentElement;
                    element?.closest('#pill') || window.shifted.push(element?.outerHTML.slice(0, 80) ?? 'removed node');
                  })).observe({type: 'layout-shift'});
                }""");
        traffic.setRates(new Rates(40, 0, 0));
        for (var step = 0; step < 30; step++) {
            page.mouse().move(200, 500);
            page.mouse().wheel(0, 600);
            page.waitForTimeout(30);
        }

        page.waitForFunction("() => document.querySelectorAll('#feed .row').length > 50");
        assertThat((List<?>) page.evaluate("() => window.shifted")).isEmpty();
    }
}
