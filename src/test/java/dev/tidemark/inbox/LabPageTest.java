package dev.tidemark.inbox;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.tidemark.Slow;
import dev.tidemark.Soak;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@QuarkusTest
@TestProfile(ChangeableInboxProfile.class)
class LabPageTest extends BrowserTest {

    static Stream<String> orders() {
        return Soak.randomHalf(Stream.of("newest", "edited"));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void cursorsShowEveryMessageOnceAndOffsetsDoNot(String order) {
        var page = run(order, Map.of("inserts", 40, "edits", 20, "deletes", 10));

        assertThat(score(page, "cursor").get(0)).as("several pages").isGreaterThan(30);
        assertThat(score(page, "cursor").subList(1, 3)).containsExactly(0, 0);
        assertThat(score(page, "offset").get(1)).as("shown twice").isPositive();
        assertThat(page.locator(".again").first()).isAttached();
        assertThat(page.locator("#chart svg")).isVisible();
        screenshot(page, "lab-" + order);
    }

    @Test
    @Slow
    void offsetsMissMessagesIfMoreAreDeletedThanWritten() {
        var page = run("newest", Map.of("inserts", 0, "edits", 0, "deletes", 50));

        assertThat(score(page, "cursor").subList(1, 3)).containsExactly(0, 0);
        assertThat(score(page, "offset").get(2)).as("lost").isPositive();
        assertThat(page.locator("#offset [data-lost]").first()).isAttached();
        assertThat(traffic.rates()).as("as before the run").isEqualTo(new Rates(0, 0, 0));
        screenshot(page, "lab-deletions");
    }

    /**
     * While the lab compares the live window, it also commits messages late. If it still did so in a later run, these
     * messages would count as lost.
     */
    @Test
    @Slow
    void aLiveWindowEqualsTheDatabaseWhileOthersWriteAndLeavesNoMessageToCommitLate() {
        var page = open("/lab", 1440, 1400);
        Map.of("inserts", 10, "edits", 20, "deletes", 10)
                .forEach((kind, rate) -> page.locator("[name=" + kind + "]").fill(Integer.toString(rate)));
        selectTwoSeconds(page);
        page.locator("#hold").click();
        assertThat(page.locator("#live [role=status]"))
                .hasText(
                        Pattern.compile("\\d+ checks with .*"),
                        new LocatorAssertions.HasTextOptions().setTimeout(40_000));

        var numbers = numbers(page.locator("#live dd").allTextContents());
        assertThat(numbers.get(0)).as("checks").isPositive();
        assertThat(numbers.get(1)).as("changes").isPositive();
        assertThat(numbers.get(2)).as("differences").isZero();
        assertThat(page.locator("#live svg")).isVisible();
        page.locator("#live").scrollIntoViewIfNeeded();
        screenshot(page, "lab-live");

        run(page, "newest", Map.of("inserts", 0, "edits", 0, "deletes", 0));
        assertThat(score(page, "cursor").get(2)).as("lost").isZero();
    }

    @ParameterizedTest
    @CsvSource({"1280, LIGHT", "1280, DARK", "390, LIGHT"})
    void theLabAtRestSaysWhatItWillDo(int width, ColorScheme scheme) {
        var page = open(
                "/lab",
                new Browser.NewContextOptions().setViewportSize(width, 844).setColorScheme(scheme));

        assertThat(page.locator("#cursor .rest")).containsText("A run scrolls down this list");
        assertThat(page.locator("#offset .rest")).containsText("the next page repeats a row");
        assertThat(page.locator("#live .rest")).containsText("The first 300 messages will be shown here");
        for (var list : List.of("cursor", "offset", "live")) {
            assertThat(page.locator("#" + list + " .rest")).isVisible();
            assertThat(page.locator("#" + list + " .scroller")).isHidden();
        }
        screenshot(page, "lab-at-rest-" + width + "-" + scheme.name().toLowerCase(Locale.ROOT));
    }

    @Test
    void onAPhoneARunScrollsToItsResult() {
        var page = open("/lab", 390, 844);
        selectTwoSeconds(page);
        run(page, "newest", Map.of("inserts", 40, "edits", 0, "deletes", 0));

        for (var part : List.of("#state", "#cursor .score", "#offset .score")) {
            assertThat(page.locator(part)).isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
        }
        assertThat(page.locator("#cursor .rest")).isHidden();
        assertThat(page.locator("#cursor .lab-row").first()).isAttached();
        screenshot(page, "lab-phone");
    }

    private Page run(String order, Map<String, Integer> rates) {
        var page = open("/lab", 1440, 900);
        selectTwoSeconds(page);
        run(page, order, rates);
        return page;
    }

    /** Selects a shorter time than the page offers, so that the test does not delay the build. */
    private static void selectTwoSeconds(Page page) {
        page.evaluate("document.querySelector('[name=seconds]').add(new Option('2 seconds', '2'))");
        page.locator("[name=seconds]").selectOption("2");
    }

    private static void run(Page page, String order, Map<String, Integer> rates) {
        rates.forEach((kind, rate) -> page.locator("[name=" + kind + "]").fill(Integer.toString(rate)));
        page.locator("[name=order]").selectOption(order);
        page.locator("[name=speed]").fill("150");
        page.locator("#run").click();
        assertThat(page.locator("#state"))
                .hasText(
                        Pattern.compile(".*changes in 2 s.*"),
                        new LocatorAssertions.HasTextOptions().setTimeout(30_000));
        assertThat(page.locator("#chart svg")).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(30_000));
    }

    private static List<Integer> score(Page page, String list) {
        return numbers(page.locator("#" + list + " dd").allTextContents());
    }

    private static List<Integer> numbers(List<String> texts) {
        return texts.stream()
                .map(text -> Integer.valueOf(text.replaceAll("\\D", "")))
                .toList();
    }
}
