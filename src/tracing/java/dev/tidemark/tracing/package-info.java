/** What is added to the server when it is built with OpenTelemetry. */
package dev.tidemark.tracing;
