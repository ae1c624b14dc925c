package dev.tidemark.client;

/**
 * Creates an item from its JSON text: with Jackson, {@code json -> objectMapper.readValue(json, Message.class)}; with
 * Gson, {@code json -> gson.fromJson(json, Message.class)}.
 *
 * @param <T> the type of the items
 */
@FunctionalInterface
public interface ItemMapper<T> {

    /**
     * Maps one item.
     *
     * @param json the JSON text of one element of {@code items}
     * @return the item, not null
     * @throws Exception if the text does not match the type; the read then fails with a {@link FeedException} that has
     *     this exception as its cause
     */
    T map(String json) throws Exception;
}
