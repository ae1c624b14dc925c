/** Cursors: positions in a list, sealed into tokens that are bound to a list state. Keys can be rotated. */
package dev.tidemark.cursor;
