package dev.tidemark.client;

import java.util.List;
import java.util.Optional;

/**
 * The items that have been added at the top of a list.
 *
 * @param items the items that are now before the earlier top, in the list's order, without gaps
 * @param top the cursor for the next call
 * @param <T> the type of the items
 */
public record NewItems<T>(List<T> items, Optional<String> top) {}
