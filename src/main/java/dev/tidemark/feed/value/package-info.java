/** Parses and formats the values of PostgreSQL types. */
package dev.tidemark.feed.value;
