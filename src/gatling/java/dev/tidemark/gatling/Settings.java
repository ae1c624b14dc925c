package dev.tidemark.gatling;

import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;

/** What a run is told by system properties, such as {@code -Dusers=256}. */
final class Settings {

    static final String BASE_URL = System.getProperty("baseUrl", "http://localhost:8080");

    /** Under {@code /api}: the inbox, or a feed with its columns and orders. */
    static final String FEED = System.getProperty("feed", "messages");

    /** How long all users are there. */
    static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("seconds", 60));

    /** From one page of a session to the next, and from one poll to the next. */
    static final Duration THINK = Duration.ofMillis(Integer.getInteger("think", 2_000));

    static final int LIMIT = Integer.getInteger("limit", 30);

    private Settings() {}

    /** Users at a time. */
    static int users(int byDefault) {
        return Integer.getInteger("users", byDefault);
    }

    /** Gatling would send {@code If-None-Match} by itself, and each user would open a connection for each request. */
    static HttpProtocolBuilder protocol() {
        return http.baseUrl(BASE_URL)
                .acceptHeader("application/json")
                .disableCaching()
                .shareConnections();
    }
}
