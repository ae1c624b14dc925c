/** Readiness and liveness of the server itself. */
package dev.tidemark.http.health;
