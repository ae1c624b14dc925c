package dev.tidemark.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.time.Instant;

/** An item of the feed {@code letters}, as a user of the client declares it. */
record Letter(long id, @JsonProperty("sent_at") Instant sentAt, String subject, String status, Boolean urgent) {

    private static final ObjectMapper JACKSON = new ObjectMapper().registerModule(new JavaTimeModule());

    static Letter of(String json) throws Exception {
        return JACKSON.readValue(json, Letter.class);
    }
}
