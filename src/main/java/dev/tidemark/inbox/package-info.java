/** The sample feed: a support inbox with its schema and sample data. Excluded from the deployed package. */
package dev.tidemark.inbox;
