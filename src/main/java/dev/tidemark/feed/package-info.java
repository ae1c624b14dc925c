/** The model of a feed. It is valid by construction, and independent of how a feed is declared and read. */
package dev.tidemark.feed;
