/**
 * The names of query parameters, guesses from column and table names, suggestions for misspelled names, and quoting for
 * SQL.
 */
package dev.tidemark.naming;
