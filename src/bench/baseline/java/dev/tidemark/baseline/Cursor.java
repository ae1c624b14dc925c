package dev.tidemark.baseline;

import jakarta.ws.rs.BadRequestException;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Base64;

/** A position in the list. As a token, it is the timestamp and the id in base64, unencrypted. */
record Cursor(OffsetDateTime createdAt, long id) {

    static String tokenAfter(MessagePage.Item item) {
        String text = item.createdAt() + "," + item.id();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static Cursor parse(String token) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            int comma = text.indexOf(',');
            return new Cursor(
                    OffsetDateTime.parse(text.substring(0, comma)), Long.parseLong(text.substring(comma + 1)));
        } catch (RuntimeException e) {
            throw new BadRequestException("not a cursor", e);
        }
    }
}
