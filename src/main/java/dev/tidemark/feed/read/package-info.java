/** The interfaces for reading and counting the items of feeds, watching for changes, and explaining page statements. */
package dev.tidemark.feed.read;
