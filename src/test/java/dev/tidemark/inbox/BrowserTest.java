package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Base class of tests in a real browser. They can query the database of the inbox. */
@ExtendWith(Chromium.class)
@Timeout(60)
abstract class BrowserTest {

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    /** One browser for all tests, because its start takes seconds. It ends with the JVM. */
    private static Browser browser;

    /**
     * The context of all desktop pages. With its own context and process, a page would cost two seconds of processor
     * time. Pages of the inbox share only the browser's cache, because they keep everything else per tab.
     */
    private static BrowserContext desktopContext;

    @TestHTTPResource("/")
    URI server;

    @Inject
    @ReactiveDataSource("inbox")
    Pool database;

    @Inject
    Traffic traffic;

    private final List<AutoCloseable> openedResources = new ArrayList<>();
    private final List<String> consoleErrors = new ArrayList<>();

    @BeforeAll
    static void launch() {
        // As long as Playwright waits for everything else. Its own limit of 5 s is too short for a busy machine.
        PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
        if (browser == null) {
            browser = Chromium.launch(Chromium.driver());
            desktopContext = browser.newContext();
        }
    }

    /** Restores messages that the simulated traffic in another test may have deleted. */
    @BeforeEach
    void restoreLinkedMessages() {
        database.query("update public.messages set deleted_at = null"
                        + " where id in (17, 1400, 1500) and deleted_at is not null")
                .executeAndAwait();
    }

    /** The timeout of the class applies only to tests. */
    @AfterEach
    @Timeout(60)
    void closePagesAndCheckTheConsole() throws Exception {
        traffic.setRates(new Rates(0, 0, 0));
        for (AutoCloseable each : openedResources) {
            each.close();
        }
        desktopContext.setOffline(false);
        assertThat(consoleErrors).as("the browser's console").isEmpty();
    }

    /** Opens a page of the given size in the context that all desktop pages share. */
    Page open(String path, int width, int height) {
        if (desktopContext.pages().isEmpty()) {
            // Chromium ends the process that draws the server's pages when the last one is closed, so this page stays
            // open.
            desktopContext.newPage().navigate(server.resolve("/style.css").toString());
        }
        Page page = desktopContext.newPage();
        openedResources.add(page);
        page.setViewportSize(width, height);
        return open(path, page);
    }

    /** Opens a page in its own context. */
    Page open(String path, Browser.NewContextOptions options) {
        BrowserContext context = browser.newContext(options);
        openedResources.add(context);
        return open(path, context.newPage());
    }

    private Page open(String path, Page page) {
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                consoleErrors.add(message.text());
            }
        });
        page.onPageError(consoleErrors::add);
        page.navigate(server.resolve(path).toString());
        return page;
    }

    /** Opens a page and waits until it has loaded its list. */
    Page openInbox(String path) {
        Page page = open(path, 1440, 900);
        page.locator("#feed .row").first().waitFor();
        return page;
    }

    /**
     * Discards the errors that the console has reported so far, such as those that the test caused on purpose by going
     * offline.
     */
    void discardConsoleErrors() {
        consoleErrors.clear();
    }

    /** Takes a screenshot for people to look at, if {@code -Dscreenshots=true} is set. */
    static void screenshot(Page page, String name) {
        if (Boolean.getBoolean("screenshots")) {
            // Chromium does not draw a page that another one covers.
            page.bringToFront();
            page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
        }
    }

    static List<Long> shownIds(Page page) {
        return page.locator("#feed .row").all().isEmpty() ? List.of() : idsOf(page, "#feed .row");
    }

    @SuppressWarnings("unchecked")
    private static List<Long> idsOf(Page page, String rows) {
        var ids = (List<String>)
                page.evaluate("rows => [...document.querySelectorAll(rows)].map(row => row.dataset.id)", rows);
        return ids.stream().map(Long::valueOf).toList();
    }

    /** Whether the button with the number of new items is above the list, so that it covers no item. */
    static boolean isPillAboveTheList(Page page) {
        return (Boolean) page.evaluate("""
                () => document.getElementById('pill').getBoundingClientRect().bottom
                    <= document.getElementById('scroller').getBoundingClientRect().top""");
    }

    /** Scrolls to the end of the loaded messages, and waits for more. */
    static void scrollForMore(Page page) {
        var before = page.locator("#feed .row").count();
        page.evaluate("() => { const s = document.getElementById('scroller'); s.scrollTop = s.scrollHeight; }");
        page.waitForFunction("before => document.querySelectorAll('#feed .row').length > before", before);
    }

    static void scrollTo(Page page, int top) {
        page.evaluate("top => document.getElementById('scroller').scrollTop = top", top);
    }

    /** The first message on the screen, and its distance in pixels from the list's top edge. */
    static String firstOnScreen(Page page) {
        return (String) page.evaluate("""
                () => {
                  const top = document.getElementById('scroller').getBoundingClientRect().top;
                  const row = [...document.querySelectorAll('#feed .row')].find(one => one.getBoundingClientRect().bottom > top + 1);
                  return row.dataset.id + ' at ' + Math.round(row.getBoundingClientRect().top - top);
                }""");
    }

    List<Long> ids(String sql, Object... parameters) {
        return StreamSupport.stream(
                        database.preparedQuery(sql)
                                .executeAndAwait(Tuple.wrap(parameters))
                                .spliterator(),
                        false)
                .map(row -> row.getLong(0))
                .toList();
    }

    Row singleRow(String sql) {
        return database.query(sql).executeAndAwait().iterator().next();
    }

    void insert(int count, String subject) {
        database.preparedQuery(
                        "insert into public.messages (subject, body) select $2, 'A body.' from generate_series(1, $1)")
                .executeAndAwait(Tuple.of(count, subject));
    }
}
