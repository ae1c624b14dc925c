/** Entity tags, conditional requests, and the headers {@code Vary} and {@code Server-Timing}. */
@NullMarked
package dev.tidemark.http.caching;

import org.jspecify.annotations.NullMarked;
