/** Compresses bodies, and streams those of exports and events; the framework writes the others. */
@NullMarked
package dev.tidemark.http.bodies;

import org.jspecify.annotations.NullMarked;
