/** Seals cursors and moments into tokens that clients can neither read nor create. Keys can be rotated. */
package dev.tidemark.cursor;
