/**
 * The main class, which also reports why a start failed; the start of the server, and the startup report.
 */
@NullMarked
package dev.tidemark.start;

import org.jspecify.annotations.NullMarked;
