package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.client.EventReader.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

class EventReaderTest {

    private final List<Event> events = new ArrayList<>();
    private CompletableFuture<Void> handled = CompletableFuture.completedFuture(null);
    private final EventReader reader = new EventReader(event -> {
        events.add(event);
        return handled;
    });
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
    void anEventEndsWithAnEmptyLine() {
        read("event: page", "id: m1", "data: {}");
        assertThat(events).isEmpty();
        read("");
        assertThat(events).containsExactly(new Event("page", "m1", "{}"));
        assertThat(requested).isEqualTo(1);
    }

    @Test
    void linesOfDataAreJoined() {
        read("data: a", "data:b", "data", "data:  c", "");
        assertThat(events).containsExactly(new Event("", "", "a\nb\n\n c"));
    }

    @Test
    void commentsAndUnknownFieldsAreIgnored() {
        read(":", "", "retry: 1", ": data: x", "event: page", "", "data: 1", "");
        assertThat(events).as("an event without data is none").containsExactly(new Event("", "", "1"));
    }

    @Test
    void theNextEventIsRequestedWhenThePreviousOneIsHandled() {
        handled = new CompletableFuture<>();
        read("data: 1", "");
        assertThat(requested).isZero();
        assertThat(reader.hasEvent()).isFalse();
        handled.complete(null);
        assertThat(requested).isEqualTo(1);
        assertThat(reader.hasEvent()).isTrue();
        assertThat(reader.hasLineBehindFirstEvent()).isFalse();
        read(":");
        assertThat(reader.hasLineBehindFirstEvent()).isTrue();
    }

    @Test
    void aStreamThatBeginsAfterItWasCanceledIsEnded() {
        EventReader canceled = new EventReader(event -> handled);
        canceled.cancel();
        canceled.onSubscribe(subscription);
        assertThat(isCanceled).isTrue();
    }
}
