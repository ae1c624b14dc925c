/** The interfaces through which the rows of feeds are read, counted, and watched. */
package dev.tidemark.feed.read;
