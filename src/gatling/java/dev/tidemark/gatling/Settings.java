package dev.tidemark.gatling;

import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;

/** Settings of a run, from system properties such as {@code -Dusers=256}. */
final class Settings {

    static final String BASE_URL = System.getProperty("baseUrl", "http://localhost:8080");

    /** The name of the feed: the inbox, or a feed with the same columns and orders. */
    static final String FEED = System.getProperty("feed", "messages");

    /** The duration of the run. */
    static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("seconds", 60));

    /** The mean time between two pages of a session, and the time between two polls. */
    static final Duration THINK_TIME = Duration.ofMillis(Integer.getInteger("think", 2_000));

    static final int LIMIT = Integer.getInteger("limit", 30);

    private Settings() {}

    /** Returns the number of concurrent users: {@code -Dusers} or, if it is not set, the default of the simulation. */
    static int users(int byDefault) {
        return Integer.getInteger("users", byDefault);
    }

    /**
     * Returns a protocol with which Gatling sends no {@code If-None-Match} of its own and shares connections among
     * users.
     */
    static HttpProtocolBuilder protocol() {
        return http.baseUrl(BASE_URL)
                .acceptHeader("application/json")
                .disableCaching()
                .shareConnections();
    }
}
