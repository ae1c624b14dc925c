package dev.tidemark.http.openapi;

import dev.tidemark.http.ApiDescription.Operation;
import dev.tidemark.http.RawConnection;
import dev.tidemark.http.RawResponse;
import dev.tidemark.http.ResponseContract;
import dev.tidemark.http.requests.FuzzedRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;

/** Sends many random requests one after another and checks each response. */
final class Fuzzer {

    /** A check in addition to the rules that every response follows. */
    interface Check {
        void verify(FuzzedRequest request, RawResponse answer) throws IOException;
    }

    private static final int GENERATION_SIZE = 1_000;
    private static final int MAX_TOKENS = 200;
    private static final int MAX_FAILURES = 20;
    private static final Pattern TOKEN = Pattern.compile("\"(A[\\w-]{30,})\"");

    private final long seed;
    private final Random random;
    private final List<String> tokens = new ArrayList<>(List.of("A"));
    private final List<String> failures = new ArrayList<>();
    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private RawConnection connection;

    Fuzzer(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** The statuses of the responses, with their counts. */
    Map<Integer, Integer> statuses() {
        return statuses;
    }

    void run(int count, List<Operation> operations, Check check) throws IOException {
        run(count, operations, "", check);
    }

    /** @param authorization the value of {@code Authorization} in most requests; empty for none */
    void run(int count, List<Operation> operations, String authorization, Check check) throws IOException {
        try {
            JqwikSession.run(() -> {
                RandomGenerator<FuzzedRequest> requests =
                        new FuzzedRequests(operations, this::randomToken).all().generator(GENERATION_SIZE);
                for (int i = 0; i < count; i++) {
                    send(authorize(requests.next(random).value(), authorization), check, i);
                }
            });
        } finally {
            if (connection != null) {
                connection.close();
            }
        }
        if (!failures.isEmpty()) {
            throw failure();
        }
    }

    private FuzzedRequest authorize(FuzzedRequest request, String authorization) {
        boolean hasOwn = request.headers().stream().anyMatch(header -> header.startsWith("Authorization"));
        if (authorization.isEmpty() || hasOwn || random.nextInt(20) == 0) {
            return request;
        }
        List<String> headers = new ArrayList<>(request.headers());
        headers.add("Authorization: " + authorization);
        return new FuzzedRequest(request.method(), request.target(), headers);
    }

    private void send(FuzzedRequest request, Check check, int number) {
        RawResponse answer = null;
        try {
            answer = exchange(request);
            statuses.merge(answer.status(), 1, Integer::sum);
            ResponseContract.check(request, answer);
            check.verify(request, answer);
        } catch (IOException | RuntimeException | AssertionError failure) {
            failures.add("request " + number + ":\n" + request.text() + "\nwas answered:\n"
                    + (answer == null ? "not at all" : answer.head() + "\n\n" + answer.body()) + "\n" + failure);
            if (failures.size() == MAX_FAILURES) {
                throw failure();
            }
            return;
        }
        TOKEN.matcher(answer.body()).results().forEach(found -> keepToken(found.group(1)));
    }

    /** Sends a request and reads its response. A connection is used for many requests, until the server closes it. */
    private RawResponse exchange(FuzzedRequest request) throws IOException {
        if (connection == null || connection.isClosed()) {
            connection = new RawConnection();
        }
        connection.send(request.text() + "Host: localhost\r\n\r\n");
        return connection.readResponse(request.isHead());
    }

    private AssertionError failure() {
        return new AssertionError("seed " + seed + "\n\n" + String.join("\n\n", failures));
    }

    private String randomToken() {
        return tokens.get(random.nextInt(tokens.size()));
    }

    private void keepToken(String token) {
        if (tokens.size() < MAX_TOKENS) {
            tokens.add(token);
        } else {
            tokens.set(random.nextInt(MAX_TOKENS), token);
        }
    }
}
