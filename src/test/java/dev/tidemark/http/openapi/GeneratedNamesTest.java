package dev.tidemark.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.feed.Feed;
import dev.tidemark.feed.SampleFeeds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GeneratedNamesTest {

    @Test
    void wordsOfAFeedsNameBeginWithCapitals() {
        assertThat(names("messages", "support-messages", "old_Mail", "a1-2b", "myFeed"))
                .containsExactly("Messages", "SupportMessages", "OldMail", "A12b", "MyFeed");
    }

    @Test
    void aNameThatIsTakenGetsANumber() {
        assertThat(names("support-messages", "support_messages", "supportMessages", "supportmessages2"))
                .containsExactly("SupportMessages", "SupportMessages2", "SupportMessages3", "Supportmessages22");
    }

    @Test
    void generatedNamesOfBothProtocolsAreDistinct() {
        assertThat(names("mail", "mail-universal")).containsExactly("Mail", "MailUniversal2");
        assertThat(names("mail-universal", "mail")).containsExactly("MailUniversal", "Mail2");
    }

    @Test
    void noFeedGetsTheGeneratedNameOfTheListOfFeeds() {
        assertThat(names("feeds")).containsExactly("Feeds2");
    }

    @Test
    void enumsAreNamedAfterFeedAndColumn() {
        Feed mail = feed("support-mail");
        assertThat(new GeneratedNames(List.of(mail)).valueSchemaName(mail, SampleFeeds.STATUS))
                .isEqualTo("SupportMailStatusValue");
    }

    private static List<String> names(String... feeds) {
        List<Feed> all = Stream.of(feeds).map(GeneratedNamesTest::feed).toList();
        GeneratedNames names = new GeneratedNames(all);
        return all.stream().map(names::feedName).toList();
    }

    private static Feed feed(String name) {
        Feed sample = SampleFeeds.messages();
        return new Feed(
                name,
                sample.relation(),
                sample.columns(),
                sample.orders(),
                sample.filters(),
                sample.policy(),
                sample.access());
    }
}
