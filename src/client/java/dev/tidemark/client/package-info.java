/**
 * A client of Tidemark feeds: typed pages, streams of items, retries, refreshes, and kept lists. The
 * client uses only the JDK. You map the JSON text of an item with a library of your choice. Start with
 * {@link dev.tidemark.client.TidemarkClient}.
 */
@NullMarked
package dev.tidemark.client;

import org.jspecify.annotations.NullMarked;
