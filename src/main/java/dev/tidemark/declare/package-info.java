/**
 * Parses the declarations of feeds and resolves them against the database. Reports all faults at once. The parsers
 * have the defaults of all properties: {@code PolicyParser} those of the page size, of counts, and of
 * {@code Cache-Control}.
 */
@NullMarked
package dev.tidemark.declare;

import org.jspecify.annotations.NullMarked;
