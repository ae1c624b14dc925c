package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The npm client in browsers that lack what it would like to use, and behind a proxy that buffers event streams. What
 * is missing is taken away before a page is loaded.
 */
@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class PhonePageTest extends BrowserTest {

    /** What iOS 15.0 and old web views lack, and more. */
    private static final String OLD_BROWSER = """
            for (const name of ['EventTarget', 'Event', 'DOMException', 'structuredClone', 'TextDecoderStream', 'ReadableStream',
                'queueMicrotask', 'URLSearchParams', 'URL', 'CompressionStream']) {
              delete globalThis[name];
            }
            for (const name of ['any', 'timeout', 'abort']) delete AbortSignal[name];
            for (const name of ['throwIfAborted', 'reason']) delete AbortSignal.prototype[name];
            for (const name of ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'with']) delete Array.prototype[name];
            delete Object.hasOwn;
            """;

    private static final String WITHOUT_BODIES = "delete Response.prototype.body;";

    @Test
    void anOldBrowserKeepsAListLiveWithAStream() {
        var page = openWith(OLD_BROWSER);
        keepLive(page);
        assertFollowsEdits(page, "streaming");
    }

    @Test
    void aBrowserThatCannotReadAResponseBitByBitPolls() {
        var page = openWith(OLD_BROWSER + WITHOUT_BODIES);
        var streams = streamsOf(page);
        keepLive(page);
        assertFollowsEdits(page, "polling");
        assertThat(streams).isEmpty();
    }

    @Test
    void aListIsPolledBehindAProxyThatPassesNothingOnBeforeAStreamEnds() {
        var page = openWith("");
        page.route("**/live?*", route -> {});
        keepLive(page);
        assertFollowsEdits(page, "polling");
    }

    @Test
    void theInboxLetsItsStreamGoWhileItIsHiddenAndShowsWhatWasChangedMeanwhile() {
        var page = openWith("");
        var streams = streamsOf(page);
        page.navigate(server.resolve("/phone").toString());
        assertThat(page.locator("#current")).isVisible();
        page.waitForCondition(() -> streams.size() == 1);
        long edited = shownIds(page).get(1);

        setVisibility(page, "hidden");
        page.waitForCondition(streams::isEmpty);
        assertThat(page.locator("#current")).isHidden();
        edit(edited, "Edited while hidden");
        setVisibility(page, "visible");

        assertThat(page.locator("#feed [data-id='" + edited + "'] .subject")).hasText("Edited while hidden");
        assertThat(page.locator("#current")).isVisible();
        // The inbox also refreshes its list, whose stream then ends, and is opened again after a moment.
        page.waitForCondition(() -> streams.size() == 1);
    }

    private Page openWith(String initScript) {
        var page = open("/style.css", new com.microsoft.playwright.Browser.NewContextOptions());
        page.addInitScript(initScript);
        page.reload();
        return page;
    }

    /** Loads the client, reads two pages of a list, refreshes it, restores a copy of it, and keeps that live. */
    private static void keepLive(Page page) {
        var restored = page.evaluate("""
                async () => {
                  const {Feed} = await import('/client/index.js');
                  const {persist} = await import('/client/persist.js');
                  const first = new Feed('/api/messages', {limit: 5}).list();
                  await first.next();
                  await first.next();
                  await first.refresh();
                  const kept = persist(first, sessionStorage);
                  await kept.save();
                  kept.stop();
                  window.list = new Feed('/api/messages', {limit: 5}).list();
                  await persist(list, sessionStorage).restored;
                  list.live({pollEvery: 50, silence: 300});
                  return list.items.length;
                }""");
        assertThat(restored).isEqualTo(10);
    }

    private void assertFollowsEdits(Page page, String state) {
        page.waitForFunction("state => list.liveState === state", state);
        edit(Long.parseLong((String) page.evaluate("() => list.items[7].id")), "Edited meanwhile: " + state);
        page.waitForFunction(
                "state => list.items[7].subject.endsWith(state) && list.liveState === state && list.liveError === null",
                state);
    }

    /** The event streams of a page that are open. */
    private static Set<Request> streamsOf(Page page) {
        var streams = Collections.synchronizedSet(new HashSet<Request>());
        page.onRequest(request -> {
            if (request.url().contains("/live?")) {
                streams.add(request);
            }
        });
        page.onRequestFailed(streams::remove);
        page.onRequestFinished(streams::remove);
        return streams;
    }

    private static void setVisibility(Page page, String state) {
        page.evaluate("""
                state => {
                  Object.defineProperty(document, 'visibilityState', {value: state, configurable: true});
                  Object.defineProperty(document, 'hidden', {value: state === 'hidden', configurable: true});
                  document.dispatchEvent(new Event('visibilitychange'));
                }""", state);
    }

    private void edit(long id, String subject) {
        database.query("update public.messages set subject = '" + subject + "' where id = " + id)
                .executeAndAwait();
    }
}
