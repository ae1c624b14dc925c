/**
 * The names of query parameters, guesses from column and table names, suggestions for misspelled names, and quoting for
 * SQL.
 */
@NullMarked
package dev.tidemark.naming;

import org.jspecify.annotations.NullMarked;
