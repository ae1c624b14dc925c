/** Entity tags, conditional requests, and the headers {@code Vary} and {@code Server-Timing}. */
package dev.tidemark.http.caching;
