package dev.tidemark.client;

/**
 * Creates an item from its JSON text, such as {@code json -> objectMapper.readValue(json, Message.class)} with Jackson, or
 * {@code json -> gson.fromJson(json, Message.class)} with Gson.
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
     * @throws Exception if the text does not match the type; the caller of the client gets a {@link FeedException} with
     *     this cause
     */
    T map(String json) throws Exception;
}
