package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.options.AriaRole;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the programs and pages of the guide to the JavaScript client, unchanged, against the sample inbox: in Node.js,
 * and in a browser with the development server that the guide uses.
 */
@QuarkusTest
@TestProfile(SampleInboxProfile.class)
@EnabledIfEnvironmentVariable(named = NpmProject.WANTED, matches = "true")
@Timeout(300)
class JavaScriptGuideTest extends BrowserTest {

    private static final String WRITE_FILES = "2. Write three files";
    private static final String WHOLE_FILE = "6. The whole file";

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
    @ValueSource(strings = {"list.mjs", "relay.mjs", "kept.mjs", "errors.mjs"})
    void aProgramPrintsWhatTheGuideShows(String name) throws Exception {
        write(name, guide.file("JavaScript client", name));
        assertThat(NpmProject.run(directory, Map.of(), "node", name)).isEqualTo(guide.output("node " + name));
    }

    @Test
    void theProgramsOfTheReadmeRunOneAfterTheOther() throws Exception {
        var blocks = Pattern.compile("(?ms)^```js\n(.*?)^```$")
                .matcher(Files.readString(Path.of("src/client/javascript/README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        var names = "const render = items => console.log(items.length, 'rendered');"
                + " const {signal} = new AbortController();"
                + " const button = {set textContent(text) { console.log(text); process.exit(); }};";
        write("readme.mjs", names + String.join("", blocks).replace("timeout(5000)", "timeout(60_000)"));
        assertThat(NpmProject.run(directory, Map.of(), "node", "readme.mjs"))
                .contains("30 rendered")
                .endsWith("0 new\n");
    }

    @Test
    void theCountChangesWhenAMessageIsSent() throws Exception {
        write("fresh.mjs", guide.file("New items", "fresh.mjs"));
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
    void theFirstListScrollsThroughOpenMessages() throws Exception {
        try (var vite = show(WRITE_FILES);
                var page = openPage(vite)) {
            for (int pages = 2; pages <= 5; pages++) {
                scrollToEnd(page, 50 * pages);
            }
            assertThat(listed(page).subList(0, 250)).isEqualTo(newest("status = 'open'", 250));
        }
    }

    @Test
    void aListWhoseCursorHasExpiredStartsAgain() throws Exception {
        try (var vite = show(WRITE_FILES);
                var page = openPage(vite)) {
            page.route(
                    "**/api/messages?*cursor=*",
                    route -> route.fulfill(new FulfillOptions()
                            .setStatus(410)
                            .setContentType("application/problem+json")
                            .setBody("{\"code\": \"cursor_expired\", \"detail\": \"the cursor has expired\"}")));
            page.waitForFunction("() => { scrollTo(0, document.body.scrollHeight);"
                    + " return document.body.textContent.includes('the cursor has expired'); }");
            page.unroute("**/api/messages?*cursor=*");
            button(page, "Try again").click();
            scrollToEnd(page, 100);
            assertThat(listed(page).subList(0, 100)).isEqualTo(newest("status = 'open'", 100));
            forgiveComplaints();
        }
    }

    @Test
    void theWholeFileStartsInTheMiddleGoesBothWaysAndShowsNewMessages() throws Exception {
        try (var vite = show(WHOLE_FILE);
                var page = openPage(vite)) {
            assertThat(listed(page)).contains(5000L);
            var earlier = button(page, "Earlier in the list");
            var before = items(page).count();
            earlier.click();
            page.waitForFunction("before => document.querySelectorAll('li').length >= before + 50", before);
            assertThat(listed(page)).doesNotHaveDuplicates().contains(5000L);

            button(page, "Newest").click();
            assertThat(items(page).first())
                    .containsText(newest("true", 1).get(0).toString());
            assertThat(earlier).isDisabled();
            scrollToEnd(page, 100);

            sendMessage();
            button(page, "Show 1 new").click();
            assertThat(items(page).first()).containsText("Hello (open)");
            assertThat(button(page, "Show")).hasCount(0);
            page.waitForFunction("() => scrollY === 0");
        }
    }

    @Test
    void aKeptListShowsTheChangesOfOthers() throws Exception {
        try (var vite = show("With React");
                var page = openPage(vite)) {
            scrollToEnd(page, 100);
            var shown = listed(page);
            long edited = shown.get(1);
            long deleted = shown.get(60);
            change(edited, "subject = 'Edited by a colleague'");
            change(deleted, "deleted_at = now()");
            sendMessage();

            button(page, "Show 1 new").click();
            assertThat(items(page).first()).containsText("Hello (open)");
            assertThat(items(page).nth(2)).containsText("Edited by a colleague");
            assertThat(listed(page))
                    .isEqualTo(newest("status = 'open'", listed(page).size()));
            assertThat(listed(page)).doesNotContain(deleted);

            change(edited, "subject = 'Edited again'");
            page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))");
            assertThat(items(page).nth(2)).containsText("Edited again");

            scrollToEnd(page, 150);
            button(page, "Newest").click();
            // The end of the shorter list is in sight until the page has scrolled up, so it may read one more page.
            page.waitForFunction("() => scrollY === 0 && document.querySelectorAll('li').length <= 100");
            change(deleted, "deleted_at = null");
        }
    }

    @Test
    void swrReadsMoreAndReadsAgain() throws Exception {
        try (var vite = show("SWR");
                var page = openPage(vite)) {
            button(page, "More").click();
            assertThat(items(page)).hasCount(100);
            sendMessage();
            button(page, "Read again").click();
            assertThat(items(page).first()).containsText("Hello");
            assertThat(items(page)).hasCount(100);
        }
    }

    @Test
    void everyChangeOfTheStepsIsInTheWholeFile() {
        var whole = guide.file(WHOLE_FILE, "main.jsx").lines().toList();
        assertThat(guide.changes("4. Show what is new", WHOLE_FILE))
                .hasSizeGreaterThan(5)
                .allSatisfy(change -> {
                    Iterator<String> rest = whole.iterator();
                    assertThat(change.lines())
                            .allSatisfy(line ->
                                    assertThat(contains(rest, line)).as(line).isTrue());
                });
    }

    /** Skips lines up to and including the wanted one. Returns whether it was found. */
    private static boolean contains(Iterator<String> lines, String wanted) {
        while (lines.hasNext()) {
            if (lines.next().equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Starts the development server with the files that the guide has after a heading. */
    private Vite show(String heading) throws IOException {
        write("main.jsx", guide.file(heading, "main.jsx"));
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

    /** Opens a page, which is closed before Vite, so that no event stream is interrupted. */
    private Page openPage(Vite vite) {
        var page = open(vite.page().toString(), new Browser.NewContextOptions().setViewportSize(1000, 800));
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
    private static List<Long> listed(Page page) {
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
