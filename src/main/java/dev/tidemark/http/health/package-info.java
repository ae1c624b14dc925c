/** Readiness and liveness checks. */
@NullMarked
package dev.tidemark.http.health;

import org.jspecify.annotations.NullMarked;
