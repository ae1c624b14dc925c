/** Parts of the server that are included only in builds with OpenTelemetry. */
package dev.tidemark.tracing;
