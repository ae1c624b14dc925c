/**
 * Proposes declarations of feeds for the tables and views of a database. {@code ColumnNames} in {@code naming} knows
 * what the name of a column suggests, such as a secret.
 */
@NullMarked
package dev.tidemark.propose;

import org.jspecify.annotations.NullMarked;
