/** Entity tags, conditional requests, and the headers that caches read. */
package dev.tidemark.http.caching;
