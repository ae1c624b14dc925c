/** Proposes declarations of feeds for the tables and views of a database. */
@NullMarked
package dev.tidemark.propose;

import org.jspecify.annotations.NullMarked;
