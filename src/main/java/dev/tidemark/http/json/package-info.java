/** Writes rows and documents as JSON. */
@NullMarked
package dev.tidemark.http.json;

import org.jspecify.annotations.NullMarked;
