/** Parsing and formatting of values of PostgreSQL types. */
package dev.tidemark.feed.value;
