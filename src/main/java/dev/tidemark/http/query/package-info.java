/** Parses query strings: their list states, filters, jumps, and limits. */
package dev.tidemark.http.query;
