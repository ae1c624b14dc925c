package dev.tidemark.baseline;

import jakarta.ws.rs.BadRequestException;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Base64;

/** A position in the list, as an unencrypted token: the timestamp and the id in base64. */
record Cursor(OffsetDateTime createdAt, long id) {

    static String of(Message message) {
        String place = message.createdAt() + "," + message.id();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(StandardCharsets.UTF_8));
    }

    static Cursor parse(String token) {
        try {
            String place = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            int comma = place.indexOf(',');
            return new Cursor(
                    OffsetDateTime.parse(place.substring(0, comma)), Long.parseLong(place.substring(comma + 1)));
        } catch (RuntimeException e) {
            throw new BadRequestException("not a cursor", e);
        }
    }
}
