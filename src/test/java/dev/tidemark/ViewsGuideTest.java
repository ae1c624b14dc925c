package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.CheckedFeed;
import dev.tidemark.declare.DeclaredFeeds;
import dev.tidemark.declare.FeedCheck.CheckedFeeds;
import dev.tidemark.postgres.TestDatabase;
import dev.tidemark.postgres.UsesTestDatabase;
import dev.tidemark.settings.FeedSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The SQL in the guide's section on views runs, and the feeds that it declares over it pass the startup check. */
@UsesTestDatabase
class ViewsGuideTest {

    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final Path GUIDE = Path.of("src/site/markdown/declaring-feeds.md");
    private static final String HEADING = "\n## Views and joins\n";

    @BeforeEach
    @AfterEach
    void dropTables() {
        DATABASE.run("DROP TABLE IF EXISTS public.person, public.post, public.follower CASCADE");
    }

    @Test
    void theFeedsOfTheGuideMatchItsTablesAndLackOnlyTriggers() throws Exception {
        blocks("sql").forEach(DATABASE::run);
        List<FeedSource> sources = blocks("yaml").stream()
                .flatMap(yaml -> FeedSource.inFile("guide.yaml", yaml, List.of()).stream())
                .toList();

        CheckedFeeds checked = DeclaredFeeds.newFeedCheck(DATABASE.catalogue())
                .check(sources)
                .await()
                .atMost(Duration.ofSeconds(20));
        assertThat(checked.faults().all()).isEmpty();
        assertThat(checked.feeds())
                .extracting(feed -> feed.feed().name())
                .containsExactlyInAnyOrder("posts", "followed-posts");
        for (CheckedFeed feed : checked.feeds()) {
            assertThat(feed.missingTriggers()).hasSize(2);
            feed.missingTriggers().forEach(missing -> missing.script().forEach(DATABASE::run));
        }
        CheckedFeeds again = DeclaredFeeds.newFeedCheck(DATABASE.catalogue())
                .check(sources)
                .await()
                .atMost(Duration.ofSeconds(20));
        assertThat(again.feeds())
                .allSatisfy(feed -> assertThat(feed.missingTriggers()).isEmpty());
        assertThat(again.feeds())
                .filteredOn(feed -> feed.feed().name().equals("posts"))
                .allSatisfy(feed -> assertThat(feed.missingIndexes()).isEmpty());
    }

    private static List<String> blocks(String language) throws Exception {
        String guide = Files.readString(GUIDE);
        assertThat(guide).contains(HEADING);
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(guide.substring(guide.indexOf(HEADING)))
                .results()
                .map(block -> block.group(1))
                .toList();
    }
}
