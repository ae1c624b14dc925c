/** Checks whether the caller of a request may read a feed. */
package dev.tidemark.http.access;
