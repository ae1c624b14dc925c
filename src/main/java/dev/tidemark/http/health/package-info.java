/** Readiness and liveness checks. */
package dev.tidemark.http.health;
