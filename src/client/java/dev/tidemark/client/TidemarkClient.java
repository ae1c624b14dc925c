package dev.tidemark.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A client of one Tidemark server. Immutable and thread-safe; it holds no resources besides those of its {@link
 * HttpClient}.
 *
 * <pre>{@code
 * TidemarkClient client = TidemarkClient.of(URI.create("http://localhost:8080"));
 * FeedList<Message> open = client.feed("messages", json -> jackson.readValue(json, Message.class))
 *         .where("status", "open");
 * open.items().limit(500).forEach(System.out::println);
 * }</pre>
 */
public final class TidemarkClient {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);
    private static final Pattern FEED_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    private final String server;
    private final Transport transport;

    private TidemarkClient(String server, Transport transport) {
        this.server = server;
        this.transport = transport;
    }

    /**
     * Creates a client with a new {@link HttpClient}, {@link Retry#DEFAULT}, and a timeout of 20 seconds for each
     * attempt. The {@code HttpClient} uses HTTP/1.1: over HTTP/2, the JDK would send retries over the same connection,
     * even if that connection no longer delivers anything.
     *
     * @param server the URL under which {@code /api} is served, such as {@code https://feeds.example.com}
     * @return the client
     */
    public static TidemarkClient of(URI server) {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return new TidemarkClient(
                server.toString().replaceFirst("/+$", ""),
                new Transport(http, Retry.DEFAULT, DEFAULT_TIMEOUT, request -> {}));
    }

    /**
     * Returns the same client with another {@link HttpClient}.
     *
     * @param http the HTTP client, with its connections, proxy, and TLS settings
     * @return a new client
     */
    public TidemarkClient httpClient(HttpClient http) {
        return withTransport(new Transport(http, transport.retry(), transport.timeout(), transport.onRequest()));
    }

    /**
     * Returns the same client with other rules for retries.
     *
     * @param retry how often and after which delays to retry
     * @return a new client
     */
    public TidemarkClient retry(Retry retry) {
        return withTransport(new Transport(transport.http(), retry, transport.timeout(), transport.onRequest()));
    }

    /**
     * Returns the same client with another timeout.
     *
     * @param timeout the maximum duration of one attempt, from connecting to the end of the response
     * @return a new client
     */
    public TidemarkClient timeout(Duration timeout) {
        return withTransport(new Transport(transport.http(), transport.retry(), timeout, transport.onRequest()));
    }

    /**
     * Returns the same client with a further function that can change each request, including retries, before it is
     * sent. For example: {@code request -> request.header("Authorization", "Bearer " + tokens.current())}.
     *
     * @param customizer called with the builder of each request
     * @return a new client
     */
    public TidemarkClient onRequest(Consumer<HttpRequest.Builder> customizer) {
        return withTransport(new Transport(
                transport.http(),
                transport.retry(),
                transport.timeout(),
                transport.onRequest().andThen(customizer)));
    }

    /**
     * Returns the feed in its default order, without filters. This method sends no request.
     *
     * @param name the name of the feed
     * @param mapper maps each item
     * @param <T> the type of the items
     * @return the list
     * @throws IllegalArgumentException if no feed can have this name: a name is a letter followed by up to 62 letters,
     *     digits, {@code _}, and {@code -}
     */
    public <T> FeedList<T> feed(String name, ItemMapper<T> mapper) {
        if (!FEED_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("no feed can have the name \"" + name
                    + "\": a name is a letter followed by up to 62 letters, digits, _, and -");
        }
        return new FeedList<>(transport, URI.create(server + "/api/" + name).toString(), mapper);
    }

    private TidemarkClient withTransport(Transport transport) {
        return new TidemarkClient(server, transport);
    }
}
