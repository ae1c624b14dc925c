/** Parses query strings: their list states, filters, jumps, cursors, and limits. */
package dev.tidemark.http.query;
