/** Parses query strings: their list states, filters, jumps, cursors, and limits. */
@NullMarked
package dev.tidemark.http.query;

import org.jspecify.annotations.NullMarked;
