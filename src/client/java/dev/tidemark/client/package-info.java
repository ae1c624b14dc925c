/**
 * A client of Tidemark feeds: typed pages, streams and publishers of items, retries, and refresh. It uses only the JDK. The
 * caller maps the JSON text of an item with a library of choice; start with {@link dev.tidemark.client.TidemarkClient}.
 */
package dev.tidemark.client;
