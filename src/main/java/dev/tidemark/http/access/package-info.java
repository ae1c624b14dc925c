/** Who may read a feed. */
package dev.tidemark.http.access;
