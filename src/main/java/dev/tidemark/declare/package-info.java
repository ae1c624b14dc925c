/** Parses the declarations of feeds and resolves them against the database. Reports all faults at once. */
@NullMarked
package dev.tidemark.declare;

import org.jspecify.annotations.NullMarked;
