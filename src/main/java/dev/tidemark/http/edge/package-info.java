/** Processes requests before they reach a resource, and responses afterwards. */
@NullMarked
package dev.tidemark.http.edge;

import org.jspecify.annotations.NullMarked;
