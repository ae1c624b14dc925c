/** The numbers of items of a list by value, which are counted once or for event streams. */
@NullMarked
package dev.tidemark.http.counts;

import org.jspecify.annotations.NullMarked;
