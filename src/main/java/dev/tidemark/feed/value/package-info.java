/** Values of PostgreSQL types as text: what a client may write, and what the database reads. */
package dev.tidemark.feed.value;
