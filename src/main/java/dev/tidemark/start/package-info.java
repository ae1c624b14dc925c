/** The main class, the start of the server, the replacement of its feeds, and the startup report. */
package dev.tidemark.start;
