/** The parts of the server that are built only with OpenTelemetry. */
package dev.tidemark.tracing;
