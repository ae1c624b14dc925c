package dev.tidemark.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClientSharesTest {

    private static final int MAX = 12;

    private final ClientShares<String> shares = shares(MAX, true);
    private final List<String> displaced = new ArrayList<>();

    @Test
    void aClientThatIsAloneMayHaveAll() {
        open("a", MAX);
        assertThat(tryOpen("a", "a more")).isFalse();
        assertThat(displaced).isEmpty();
    }

    @Test
    void aClientWithFewerTakesThePlaceOfTheNewestStreamOfTheLargest() {
        open("a", MAX);
        assertThat(tryOpen("b", "b0")).isTrue();
        assertThat(displaced).containsExactly("a" + (MAX - 1));
        assertThat(shares.size()).isEqualTo(MAX);
    }

    @Test
    void clientsThatReconnectForeverEndWithEqualShares() {
        open("a", MAX);
        for (int i = 0; i < 100; i++) {
            tryOpen("b", "b" + i);
            tryOpen("c", "c" + i);
            tryOpen("a", "a again " + i);
        }
        assertThat(displaced).hasSize(2 * MAX / 3);
        assertThat(tryOpen("d", "d0")).isTrue();
    }

    @Test
    void aStreamWhosePlaceWasTakenReleasesNoOther() {
        open("a", MAX);
        tryOpen("b", "b0");
        shares.remove(displaced.get(0));
        assertThat(shares.size()).isEqualTo(MAX);
        shares.remove("b0");
        assertThat(shares.size()).isEqualTo(MAX - 1);
        assertThat(tryOpen("a", "a again")).isTrue();
        assertThat(displaced).hasSize(1);
    }

    @Test
    void nobodyIsDisplacedIfSharesAreOffOrAllClientsHaveOneStream() {
        ClientShares<String> unfair = shares(1, false);
        assertThat(unfair.tryAdmit("a", "a0", displaced::add)).isTrue();
        assertThat(unfair.tryAdmit("b", "b0", displaced::add)).isFalse();
        IntStream.range(0, MAX).forEach(i -> tryOpen("client " + i, "stream " + i));
        assertThat(tryOpen("one more", "its stream")).isFalse();
        assertThat(shares(0, true).tryAdmit("a", "a0", displaced::add)).isFalse();
        assertThat(displaced).isEmpty();
    }

    /** Compared with counts that are kept in the simplest way. */
    @Test
    void streamsComeAndGoInAnyOrder() {
        Random random = new Random(7);
        Map<String, String> clientByStream = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            List<String> open = new ArrayList<>(clientByStream.keySet());
            if (!open.isEmpty() && random.nextInt(3) == 0) {
                String ended = open.get(random.nextInt(open.size()));
                clientByStream.remove(ended);
                shares.remove(ended);
            } else {
                String client = "client " + random.nextInt(4);
                String stream = "stream " + i;
                long held = count(clientByStream, client);
                long largest = clientByStream.values().stream()
                        .mapToLong(other -> count(clientByStream, other))
                        .max()
                        .orElse(0);
                displaced.clear();
                boolean isAdmitted = tryOpen(client, stream);
                assertThat(isAdmitted).isEqualTo(open.size() < MAX || largest >= held + 2);
                displaced.forEach(gone -> assertThat(count(clientByStream, clientByStream.get(gone)))
                        .isEqualTo(largest));
                clientByStream.keySet().removeAll(displaced);
                if (isAdmitted) {
                    clientByStream.put(stream, client);
                }
            }
            assertThat(shares.size()).isEqualTo(clientByStream.size());
        }
    }

    private static ClientShares<String> shares(int max, boolean isFair) {
        return new ClientShares<>(max, isFair, "test", new SimpleMeterRegistry());
    }

    private static long count(Map<String, String> clientByStream, String client) {
        return clientByStream.values().stream().filter(client::equals).count();
    }

    private void open(String client, int count) {
        IntStream.range(0, count)
                .forEach(i -> assertThat(tryOpen(client, client + i)).isTrue());
    }

    private boolean tryOpen(String client, String stream) {
        return shares.tryAdmit(client, stream, displaced::add);
    }
}
