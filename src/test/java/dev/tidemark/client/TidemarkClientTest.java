package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TidemarkClientTest {

    private static final String LONGEST_NAME = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    private final TidemarkClient client = TidemarkClient.of(URI.create("http://localhost:8080/"));

    @ParameterizedTest
    @ValueSource(strings = {"a", "Messages", "support-mail_2", LONGEST_NAME})
    void aFeedNameIsAccepted(String name) {
        assertThatCode(() -> client.feed(name, json -> json)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2nd",
                "_messages",
                "messages/fresh",
                "../v3/messages",
                "messages?limit=1",
                "messages#top",
                "my messages",
                "größe",
                "messages\n",
                LONGEST_NAME + "a"
            })
    void aNameThatNoFeedCanHaveIsRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.feed(name, json -> json))
                .withMessageContaining('"' + name + '"');
    }
}
