/** The parts of the server that only builds with OpenTelemetry contain. */
package dev.tidemark.tracing;
