package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Locator.FilterOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.tidemark.Slow;
import dev.tidemark.http.RestrictedFeedsProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the programs and pages of the README of the npm package against the sample inbox: in Node.js, and in a browser
 * with the development server that the README uses. Only addresses, a timeout and the id of an item are replaced.
 */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
@EnabledIfEnvironmentVariable(named = NpmProject.NPM_VARIABLE, matches = "true")
@Timeout(300)
@Slow
class JavaScriptGuideTest extends BrowserTest {

    private static final String WRITE_FILES = "A page with Vite";
    private static final String WHOLE_FILE = "Start in the middle, and show what is new";

    private JavaScriptGuide guide;
    private Path directory;

    @BeforeEach
    void install() throws Exception {
        guide = JavaScriptGuide.read();
        directory = NpmProject.install();
    }

    @AfterEach
    void removeSentMessages() {
        database.query("delete from public.messages where id > 10000").executeAndAwait();
    }

    @ParameterizedTest
    @ValueSource(strings = {"list.mjs", "errors.mjs"})
    void aProgramPrintsWhatTheGuideShows(String name) throws Exception {
        write(name, guide.file("@tidemark/client", name));
        assertThat(NpmProject.run(directory, Map.of(), "node", name)).isEqualTo(guide.output("node " + name));
    }

    @Test
    void theOtherBlocksRunOneAfterTheOther() throws Exception {
        var blocks = Pattern.compile("(?ms)(?<!`:\n\n)^```js\n(.*?)^```$")
                .matcher(guide.text())
                .results()
                .map(block -> block.group(1))
                .toList();
        var names = "import {Feed} from '@tidemark/client';"
                + " const feed = new Feed('http://localhost:8080/api/messages', {fields: ['id', 'subject', 'status']});"
                + " const render = items => console.log(items.length, 'rendered');"
                + " const sessionStorage = {getItem: () => null, setItem() {}, removeItem() {}};"
                + " const placeOnScreen = () => null;"
                + " const {signal} = new AbortController();"
                + " const button = {set textContent(text) { console.log(text); process.exit(); }};";
        write("readme.mjs", names + String.join("", blocks).replace("timeout(5000)", "timeout(60_000)"));
        assertThat(NpmProject.run(directory, Map.of(), "node", "readme.mjs"))
                .contains("30 rendered")
                .endsWith("0 new\n");
    }

    @ParameterizedTest
    @CsvSource({"A live list with TanStack DB, 14", "A live list with TanStack Query, 19"})
    void aShortFileShowsAListThatGrowsAndFollowsTheWritesOfOthers(String heading, int lines) throws Exception {
        assertThat(guide.file(heading, "main.jsx").lines()).hasSize(lines);
        try (var vite = startVite(heading);
                var page = openPage(vite)) {
            button(page, "More").click();
            assertThat(items(page)).hasCount(100);
            var shown = listedIds(page);
            assertThat(shown).isEqualTo(newest("status = 'open'", 100));

            change(shown.get(1), "subject = 'Edited by a colleague'");
            change(shown.get(60), "deleted_at = now()");
            assertThat(items(page).nth(1)).containsText("Edited by a colleague");
            page.waitForFunction(
                    "id => ![...document.querySelectorAll('li')].some(row => row.textContent.startsWith(id))",
                    shown.get(60) + " ");
            sendMessage();
            if (heading.contains("Query")) {
                button(page, "Show 1 new").click();
            }
            assertThat(items(page).first()).containsText("Hello");
            assertThat(listedIds(page))
                    .isEqualTo(newest("status = 'open'", listedIds(page).size()));
            change(shown.get(60), "deleted_at = null");
        }
    }

    @Test
    void theNumbersOnTabsFollowTheWritesOfOthers() throws Exception {
        try (var vite = startVite("Numbers on tabs", "'closed']}", "'closed'], assignee: 'nobody yet'}");
                var page = open(vite.pageUri().toString(), desktopOptions())) {
            assertThat(page.locator("nav")).hasText("open 0pending 0closed 0 ");
            change(5000, "assignee = 'nobody yet', status = 'pending'");
            assertThat(page.locator("nav")).hasText("open 0pending 1closed 0 ");
        } finally {
            change(5000, "assignee = 'hana', status = 'open'");
        }
    }

    @Test
    void theCountChangesWhenAMessageIsSent() throws Exception {
        write("fresh.mjs", guide.file("Listen for new items", "fresh.mjs"));
        var program = new ProcessBuilder("node", "fresh.mjs")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            var printed = new ArrayList<String>();
            var output = program.inputReader();
            printed.add(output.readLine());
            sendMessage();
            output.lines().forEach(printed::add);
            assertThat(printed)
                    .containsExactlyElementsOf(
                            guide.output("node fresh.mjs").lines().toList());
        } finally {
            program.destroy();
        }
    }

    @Test
    void aListWhoseCursorHasExpiredStartsAgain() throws Exception {
        try (var vite = startVite(WHOLE_FILE);
                var page = openPage(vite)) {
            respondWithProblem(page, "**/api/messages?*cursor=*", 410, "cursor_expired");
            page.waitForFunction("() => { scrollTo(0, document.body.scrollHeight);"
                    + " return document.body.textContent.includes('cursor_expired'); }");
            page.unroute("**/api/messages?*cursor=*");
            button(page, "Try again").click();
            // The error message disappears together with the old items, of which there could be two pages.
            assertThat(page.locator("body")).not().containsText("cursor_expired");
            scrollToEnd(page, 100);
            var shown = listedIds(page);
            assertThat(shown).contains(5000L).isEqualTo(newest("id <= " + shown.get(0), shown.size()));
            discardConsoleErrors();
        }
    }

    @Test
    void aFailedFirstPageCanBeReadAgain() throws Exception {
        try (var vite = startVite(WHOLE_FILE);
                var page = open("/style.css", desktopOptions())) {
            respondWithProblem(page, "**/api/messages?*", 500, "internal");
            page.navigate(vite.pageUri().toString());
            button(page, "Try again").waitFor();
            page.unroute("**/api/messages?*");
            button(page, "Try again").click();
            items(page).first().waitFor();
            assertThat(button(page, "Try again")).hasCount(0);
            discardConsoleErrors();
        }
    }

    @Test
    void theWholeFileStartsAtAnItemAndGrowsInBothDirections() throws Exception {
        try (var vite = startVite(WHOLE_FILE);
                var page = openPage(vite)) {
            assertThat(page.locator("[id='5000']")).isInViewport();
            for (int pages = 0; pages < 3; pages++) {
                page.evaluate("() => { scrollTo(0, 0); window.row = document.querySelector('li');"
                        + " window.place = row.getBoundingClientRect().top; }");
                page.waitForFunction("() => row.previousSibling");
                assertThat(page.evaluate("() => Math.round(row.getBoundingClientRect().top - place)"))
                        .isEqualTo(0);
            }
            respondWithProblem(page, "**/api/messages?*cursor=*", 500, "internal");
            page.waitForFunction("() => { scrollTo(0, 0); return document.body.textContent.includes('Try again'); }");
            page.unroute("**/api/messages?*cursor=*");
            int before = items(page).count();
            long first = listedIds(page).get(0);
            button(page, "Try again").click();
            page.waitForFunction("before => document.querySelectorAll('li').length > before", before);
            assertThat(listedIds(page).get(0)).isGreaterThan(first);

            scrollToEnd(page, items(page).count() + 50);
            var shown = listedIds(page);
            assertThat(shown).contains(5000L).isEqualTo(newest("id <= " + shown.get(0), shown.size()));
            discardConsoleErrors();
        }
    }

    @Test
    void aListOpenedAtADeletedItemOffersTheNewestMessages() throws Exception {
        change(5000, "deleted_at = now()");
        try (var vite = startVite(WHOLE_FILE);
                var page = open(vite.pageUri().toString(), desktopOptions())) {
            assertThat(page.locator("footer")).containsText("this list has no item with this key");
            button(page, "Newest").click();
            assertThat(items(page).first())
                    .containsText(newest("true", 1).get(0).toString());
            discardConsoleErrors();
        } finally {
            change(5000, "deleted_at = null");
        }
    }

    @Test
    void theWholeFileShowsNewMessagesHoweverFarTheListHasScrolled() throws Exception {
        try (var vite = startVite(WHOLE_FILE);
                var page = openPage(vite)) {
            button(page, "Newest").click();
            assertThat(items(page).first())
                    .containsText(newest("true", 1).get(0).toString());
            scrollToEnd(page, 600);
            sendMessage();
            showNew(page, "1");

            insert(101, "Hello");
            showNew(page, "100+");
        }
    }

    @Test
    void aListThatWasOpenedAtAnItemShowsNewMessagesOnceItReachesItsStart() throws Exception {
        try (var vite = startVite(WHOLE_FILE, "'5000'", "'9950'");
                var page = openPage(vite)) {
            page.waitForFunction(
                    "newest => document.querySelector('li').id === newest",
                    newest("true", 1).get(0).toString());
            sendMessage();
            showNew(page, "1");
        }
    }

    private static void showNew(Page page, String count) {
        button(page, "Show " + count + " new").click();
        assertThat(items(page).first()).containsText("Hello (open)");
        assertThat(button(page, "Show")).hasCount(0);
        page.waitForFunction("() => scrollY === 0");
    }

    @Test
    void aVirtualisedListFollowsTheWritesOfOthersAndIsRestoredAfterAReload() throws Exception {
        try (var vite = startVite("A virtualised list that is restored");
                var page = openPage(vite)) {
            page.waitForFunction("() => { const list = document.querySelector('#root > div'); list.scrollTop += 2000;"
                    + " return list.scrollTop > 10_000 && document.querySelector('li').textContent !== 'Loading'; }");
            assertThat(listedIds(page)).hasSizeLessThan(60);
            sendMessage();
            assertThat(button(page, "1 new")).isEnabled();
            long id = listedIds(page).get(15);
            change(id, "subject = 'Edited by a colleague'");
            var row = items(page).filter(new FilterOptions().setHasText(id + " Edited by a colleague"));
            assertThat(row).isVisible();
            var place = placeOnScreen(page);

            page.reload();
            assertThat(row).isVisible();
            assertThat(placeOnScreen(page)).isEqualTo(place);
            button(page, "1 new").click();
            assertThat(items(page).first()).containsText("Hello");
        }
    }

    /** The first row on the screen, and how far it is scrolled out. */
    private static Object placeOnScreen(Page page) {
        return page.evaluate("() => { const top = document.querySelector('#root > div').getBoundingClientRect().top;"
                + " const places = [...document.querySelectorAll('li')].map(row => [row.textContent,"
                + " Math.round(row.getBoundingClientRect().bottom - top)]);"
                + " return places.find(([text, bottom]) => bottom > 0).join(); }");
    }

    @Test
    void swrReadsMoreAndReadsAgain() throws Exception {
        try (var vite = startVite("SWR");
                var page = openPage(vite)) {
            button(page, "More").click();
            assertThat(items(page)).hasCount(100);
            sendMessage();
            button(page, "Read again").click();
            assertThat(items(page).first()).containsText("Hello");
            assertThat(items(page)).hasCount(100);
        }
    }

    /** Starts the development server with the {@code main.jsx} that the guide shows after a heading. */
    private Vite startVite(String heading) throws IOException {
        return startVite(heading, "", "");
    }

    private Vite startVite(String heading, String old, String replacement) throws IOException {
        write("main.jsx", guide.file(heading, "main.jsx").replace(old, replacement));
        write("index.html", guide.file(WRITE_FILES, "index.html"));
        write("vite.config.mjs", guide.file(WRITE_FILES, "vite.config.mjs"));
        return Vite.start(directory);
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name), content.replace("http://localhost:8080", address()));
    }

    private String address() {
        return server.toString().replaceFirst("/$", "");
    }

    /** Responds to requests with a problem. With the statuses used here, the client does not retry the requests. */
    private static void respondWithProblem(Page page, String requests, int status, String code) {
        page.route(
                requests,
                route -> route.fulfill(new FulfillOptions()
                        .setStatus(status)
                        .setContentType("application/problem+json")
                        .setBody("{\"code\": \"" + code + "\", \"detail\": \"" + code + "\"}")));
    }

    private static Browser.NewContextOptions desktopOptions() {
        return new Browser.NewContextOptions().setViewportSize(1000, 800);
    }

    /** Opens a page. The caller must close the page before Vite, because Vite would interrupt an open event stream. */
    private Page openPage(Vite vite) {
        var page = open(vite.pageUri().toString(), desktopOptions());
        items(page).first().waitFor();
        return page;
    }

    private static Locator items(Page page) {
        return page.locator("li");
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName(name));
    }

    private static void scrollToEnd(Page page, int count) {
        page.waitForFunction(
                "count => { scrollTo(0, document.body.scrollHeight); return document.querySelectorAll('li').length >="
                        + " count; }",
                count);
    }

    @SuppressWarnings("unchecked")
    private static List<Long> listedIds(Page page) {
        var ids = (List<String>)
                page.evaluate("() => [...document.querySelectorAll('li')].map(row => row.textContent.split(' ')[0])");
        return ids.stream().map(Long::valueOf).toList();
    }

    private List<Long> newest(String condition, int limit) {
        return ids("select id from public.messages where deleted_at is null and " + condition
                + " order by created_at desc, id desc limit " + limit);
    }

    /** Sends a message with the curl command of the guide. */
    private void sendMessage() throws Exception {
        var command = guide.command("curl -H 'Content-Type: application/json' -d ");
        var answer = NpmProject.run(
                directory,
                Map.of(),
                "bash",
                "-c",
                command.replace("http://localhost:8080", address()).replace("curl ", "curl -s "));
        assertThat(answer).containsPattern("\\{\"id\":\"\\d+\"}");
    }

    private void change(long id, String assignment) {
        database.query("update public.messages set " + assignment + " where id = " + id)
                .executeAndAwait();
    }
}
