package dev.tidemark.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.declare.Catalogue;
import dev.tidemark.declare.FeedRegistry;
import dev.tidemark.feed.Feeds;
import dev.tidemark.http.RestrictedFeedsProfile;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.config.SmallRyeConfig;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The report of a start in dev mode, as the README shows it. */
@QuarkusTest
@TestProfile(RestrictedFeedsProfile.class)
class StartReportTest {

    @Inject
    Feeds feeds;

    @Inject
    FeedRegistry registry;

    @Inject
    Catalogue catalogue;

    @Inject
    SmallRyeConfig config;

    @Test
    void theReadmeShowsTheReport() throws Exception {
        Feeds inbox = new Feeds(feeds.find("messages").stream().toList());
        String report = new StartReport(inbox, registry, catalogue, config, new ServerAddresses(config)).lines();

        String readme = Files.readString(Path.of("README.md"));
        String shown = Pattern.compile("(?m)^  (Feeds|Database|API|Pages|Health) .*$")
                .matcher(readme)
                .results()
                .map(line -> line.group())
                .collect(Collectors.joining("\n"));
        assertThat(masked(report)).isEqualTo(masked(shown));
        assertThat(readme).contains("[de.ti.st.StartReport] Tidemark ");
    }

    /** Masks what depends on the machine. */
    private static String masked(String report) {
        return report.strip()
                .replaceAll("localhost:\\d+", "localhost:…")
                .replaceAll("from .*/target", "from …/target")
                // Declares the other feeds of the profile.
                .replace(", TIDEMARK_FEEDS", "")
                .replaceAll("Database  .*", "Database  …");
    }
}
