/** The files and the environment variables that settings come from, as far as faults need them. */
package dev.tidemark.source;
