/**
 * Seals cursors and moments into tokens that clients can neither read nor create, and hashes responses with a key that
 * is derived from the first cursor key. Keys can be rotated.
 */
@NullMarked
package dev.tidemark.cursor;

import org.jspecify.annotations.NullMarked;
