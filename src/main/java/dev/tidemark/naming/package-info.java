/** Guesses from column and table names, and suggestions for misspelled names. */
@NullMarked
package dev.tidemark.naming;

import org.jspecify.annotations.NullMarked;
