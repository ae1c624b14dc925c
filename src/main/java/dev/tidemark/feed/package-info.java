/** The model of feeds. It is valid by construction, and independent of how feeds are declared and read. */
package dev.tidemark.feed;
