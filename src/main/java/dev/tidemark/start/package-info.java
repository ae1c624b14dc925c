/** The main class, the start of the server, the replacement of its feeds, and the startup report. */
@NullMarked
package dev.tidemark.start;

import org.jspecify.annotations.NullMarked;
