/** Checks requests before they reach a resource. */
@NullMarked
package dev.tidemark.http.requests;

import org.jspecify.annotations.NullMarked;
