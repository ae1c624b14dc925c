/** Checks the files and environment variables that settings come from, and locates properties in them. */
package dev.tidemark.settings;
