package dev.tidemark.client;

import java.util.List;
import java.util.Optional;

/**
 * The result of {@link FeedList#newItems}.
 *
 * @param items all items that are now before the cursor that was passed to {@link FeedList#newItems}, in the list's
 *     order
 * @param top the cursor to pass to the next call
 * @param <T> the type of the items
 */
public record NewItems<T>(List<T> items, Optional<String> top) {}
