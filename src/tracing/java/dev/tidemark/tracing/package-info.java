/** Parts of the server that are included only in builds with OpenTelemetry. */
@NullMarked
package dev.tidemark.tracing;

import org.jspecify.annotations.NullMarked;
