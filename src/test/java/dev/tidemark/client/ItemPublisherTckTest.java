package dev.tidemark.client;

import dev.tidemark.http.TestFeedsResource;
import dev.tidemark.http.TestServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.flow.FlowPublisherVerification;

/** Verifies the client's publisher of items with the {@link PublisherRules}. */
@QuarkusTest
@QuarkusTestResource(TestFeedsResource.class)
class ItemPublisherTckTest {

    @TestFactory
    Stream<DynamicTest> rules() {
        FeedList<Letter> letters = TidemarkClient.of(TestServer.url(""))
                .feed("letters", Letter::of)
                .limit(3);
        // The first request to a server takes longer than later ones.
        letters.page();
        return PublisherRules.tests(() -> new LettersVerification(letters));
    }

    /** The rules of the kit, applied to a publisher of up to a hundred letters, three on a page. */
    private static final class LettersVerification extends FlowPublisherVerification<Letter> {

        private final FeedList<Letter> list;

        LettersVerification(FeedList<Letter> list) {
            super(PublisherRules.environment());
            this.list = list;
        }

        @Override
        public Flow.Publisher<Letter> createFlowPublisher(long elements) {
            return list.where("id.lte", Long.toString(elements)).publisher();
        }

        @Override
        public Flow.Publisher<Letter> createFailedFlowPublisher() {
            // The publisher sends no request before an item is requested, so it cannot fail on subscription. The kit
            // then skips the rules for publishers that fail on subscription.
            return null;
        }

        @Override
        public long maxElementsFromPublisher() {
            return 100;
        }
    }
}
