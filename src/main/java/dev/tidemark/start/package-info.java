/**
 * The main class, which also reports why a start failed; the start of the server, the replacement of its feeds, and the
 * startup report.
 */
@NullMarked
package dev.tidemark.start;

import org.jspecify.annotations.NullMarked;
