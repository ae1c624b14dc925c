/** Parses the declarations of feeds and resolves them against the database. Reports all faults at once. */
package dev.tidemark.declare;
