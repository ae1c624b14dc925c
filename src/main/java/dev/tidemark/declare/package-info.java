/** Feeds as the user writes them, held against the database: resolved feeds, or all faults at once. */
package dev.tidemark.declare;
