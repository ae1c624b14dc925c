/** The interfaces through which feeds are read, counted, watched, and explained. */
package dev.tidemark.feed.read;
