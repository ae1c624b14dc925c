/**
 * Seals cursors and moments into tokens that clients can neither read nor create, and hashes responses with the same
 * keys. Keys can be rotated.
 */
package dev.tidemark.cursor;
