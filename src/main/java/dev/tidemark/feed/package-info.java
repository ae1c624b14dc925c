/** The model of feeds, independent of how feeds are declared and read. */
@NullMarked
package dev.tidemark.feed;

import org.jspecify.annotations.NullMarked;
