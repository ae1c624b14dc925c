/** The sample feed: a support inbox with its schema and sample data. Excluded from the deployed package. */
@NullMarked
package dev.tidemark.inbox;

import org.jspecify.annotations.NullMarked;
