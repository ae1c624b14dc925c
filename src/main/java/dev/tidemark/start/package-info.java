/** The start of the server, and its report. */
package dev.tidemark.start;
