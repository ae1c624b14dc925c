/**
 * The interfaces for reading and counting the items of feeds, watching for changes, and explaining page statements,
 * which {@code dev.tidemark.postgres} implements.
 */
@NullMarked
package dev.tidemark.feed.read;

import org.jspecify.annotations.NullMarked;
