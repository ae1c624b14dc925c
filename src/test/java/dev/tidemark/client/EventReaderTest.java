package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class EventReaderTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final EventReader reader = new EventReader();
    private final Flow.Subscription subscription = new Flow.Subscription() {
        @Override
        public void request(long number) {
            requested += (int) number;
        }

        @Override
        public void cancel() {
            isCanceled = true;
        }
    };
    private int requested;
    private boolean isCanceled;

    EventReaderTest() {
        reader.onSubscribe(subscription);
    }

    private void read(String... lines) {
        for (String line : lines) {
            requested--;
            reader.onNext(line);
        }
    }

    @Test
    void anEventEndsWithAnEmptyLine() throws Exception {
        read("event: page", "id: m1", "data: {}");
        assertThat(requested).isEqualTo(1);
        read("");
        assertThat(reader.next(LONG)).contains(new LiveEvent("page", "m1", "{}"));
    }

    @Test
    void linesOfDataAreJoined() throws Exception {
        read("data: a", "data:b", "data", "data:  c", "");
        assertThat(reader.next(LONG)).contains(new LiveEvent("", "", "a\nb\n\n c"));
    }

    @Test
    void commentsAndUnknownFieldsAreIgnored() throws Exception {
        read(":", "", "retry: 1", ": data: x", "event: page", "", "data: 1", "");
        assertThat(reader.next(LONG)).as("an event without data is none").contains(new LiveEvent("", "", "1"));
    }

    @Test
    void nothingIsRequestedBehindAnEventBeforeTheNextOneIsAskedFor() throws Exception {
        read("data: 1", "");
        assertThat(reader.next(LONG)).contains(new LiveEvent("", "", "1"));
        assertThat(requested).isZero();
        reader.end();
        assertThat(reader.next(LONG)).isEmpty();
        assertThat(requested).isEqualTo(1);
    }

    @Test
    void aStreamThatBeginsAfterItsEndIsCanceled() throws Exception {
        EventReader ended = new EventReader();
        ended.end();
        ended.onSubscribe(subscription);
        assertThat(isCanceled).isTrue();
        assertThat(ended.next(LONG)).isEqualTo(Optional.empty());
    }

    @Test
    void aStreamThatIsSilentTimesOut() {
        assertThatThrownBy(() -> reader.next(Duration.ofMillis(1))).isInstanceOf(TimeoutException.class);
    }
}
