/** The model of feeds, independent of how feeds are declared and read. */
package dev.tidemark.feed;
