package dev.tidemark.refresh;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * An item that a client keeps, or a row that SQL has read.
 *
 * @param shelf the label of the embedded shelf; null if there is none
 */
record Row(String region, long id, Instant at, int place, long version, String body, String extra, String shelf) {

    record Key(String region, long id) {

        /** Whether the row is in a partition that {@link SchemaChanges} attaches and detaches. */
        boolean isFar() {
            return region.startsWith("far");
        }
    }

    Key key() {
        return new Key(region, id);
    }

    static Row of(JsonNode item) {
        return new Row(
                item.get("region").asText(),
                item.get("id").asLong(),
                Instant.parse(item.get("at").asText()),
                item.get("place").asInt(),
                item.get("version").asLong(),
                item.get("body").asText(),
                item.path("extra").asText(),
                item.path("shelf").path("label").asText(null));
    }

    /** Contains the length of the body instead of the body. */
    @Override
    public String toString() {
        return region + '/' + id + " version " + version + " at " + at + " place " + place + " extra " + extra
                + " body " + body.length() + " shelf " + shelf;
    }
}
