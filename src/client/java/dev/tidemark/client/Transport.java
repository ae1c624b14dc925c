package dev.tidemark.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Sends GET requests and retries temporary failures.
 *
 * @param timeout the maximum duration of one attempt, from connecting to the end of the response
 * @param onRequest called with each request before it is sent
 */
record Transport(HttpClient http, Retry retry, Duration timeout, Consumer<HttpRequest.Builder> onRequest) {

    private static final String EVENT_STREAM = "text/event-stream";
    private static final System.Logger LOG = System.getLogger("dev.tidemark.client");

    /**
     * Sends a GET request. Canceling the future cancels the request and its retries. If no attempt succeeds, or the
     * response cannot be read, the future fails with a {@link FeedException}.
     *
     * @param parse converts the body of a response with status 200
     */
    <R> CompletableFuture<R> get(URI uri, Function<String, R> parse) {
        CompletableFuture<R> result = new CompletableFuture<>();
        attempt(1, uri, parse, result);
        return result;
    }

    /**
     * Opens an event stream, once. The future completes when the stream has ended. If the response is no event stream,
     * it completes with that response and its body.
     *
     * @param lines receives the lines of an event stream
     */
    CompletableFuture<HttpResponse<String>> openStream(URI uri, Flow.Subscriber<String> lines) {
        try {
            return http.sendAsync(
                    request(uri, EVENT_STREAM),
                    response -> isEventStream(response.statusCode(), response.headers())
                            ? BodySubscribers.fromLineSubscriber(lines, subscriber -> "", StandardCharsets.UTF_8, null)
                            : BodySubscribers.ofString(StandardCharsets.UTF_8));
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(
                    new FeedException("the request cannot be sent: " + e.getMessage(), e));
        }
    }

    static boolean isEventStream(int status, HttpHeaders headers) {
        return status == 200 && headers.firstValue("Content-Type").orElse("").startsWith(EVENT_STREAM);
    }

    private <R> void attempt(int attemptNumber, URI uri, Function<String, R> parse, CompletableFuture<R> result) {
        if (result.isDone()) {
            return;
        }
        CompletableFuture<HttpResponse<String>> exchange;
        try {
            exchange = http.sendAsync(request(uri, "application/json"), BodyHandlers.ofString());
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(new FeedException("the request cannot be sent: " + e.getMessage(), e));
            return;
        }
        // The timeout of an HttpRequest would not include the body.
        CompletableFuture<HttpResponse<String>> response =
                exchange.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        result.whenComplete((ignored, failure) -> exchange.cancel(true));
        response.whenCompleteAsync((received, failure) -> {
            exchange.cancel(true);
            try {
                completeOrRetry(attemptNumber, uri, received, failure, parse, result);
            } catch (FeedException e) {
                result.completeExceptionally(e);
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(new FeedException("the response cannot be read: " + e.getMessage(), e));
            }
        });
    }

    /** Completes the result, or schedules a further attempt after a temporary failure. */
    private <R> void completeOrRetry(
            int attemptNumber,
            URI uri,
            HttpResponse<String> response,
            @Nullable Throwable failure,
            Function<String, R> parse,
            CompletableFuture<R> result) {
        String body;
        try {
            body = requireBody(uri, response, failure);
        } catch (FeedException e) {
            Duration delay = retry.delay(attemptNumber, retryAfter(e));
            if (!isTemporary(e) || !retry.allows(attemptNumber + 1, delay)) {
                throw e;
            }
            LOG.log(System.Logger.Level.DEBUG, "{0}; retry in {1}", e.getMessage(), delay);
            CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(() -> attempt(attemptNumber + 1, uri, parse, result));
            return;
        }
        result.complete(parse.apply(body));
    }

    private HttpRequest request(URI uri, String mediaType) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", mediaType);
        onRequest.accept(request);
        return request.build();
    }

    private static String requireBody(URI uri, HttpResponse<String> response, @Nullable Throwable failure) {
        if (failure != null) {
            throw noResponse(uri, failure);
        }
        boolean isJson =
                response.headers().firstValue("Content-Type").orElse("").contains("json");
        if (response.statusCode() != 200 || !isJson) {
            throw new ProblemException(Problem.of(response, response.body()), null);
        }
        return response.body();
    }

    static FeedException noResponse(URI uri, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof FeedException known
                ? known
                : new FeedException(uri.getAuthority() + " did not respond: " + cause, cause);
    }

    static boolean isTemporary(FeedException e) {
        if (e instanceof ProblemException rejected) {
            return rejected.problem().isTemporary();
        }
        Throwable cause = e.getCause();
        boolean isTlsFailure = cause instanceof SSLHandshakeException || cause instanceof SSLPeerUnverifiedException;
        return cause instanceof TimeoutException || cause instanceof IOException && !isTlsFailure;
    }

    static Duration retryAfter(FeedException e) {
        return e instanceof ProblemException rejected
                ? rejected.problem().retryAfter().orElse(Duration.ZERO)
                : Duration.ZERO;
    }
}
