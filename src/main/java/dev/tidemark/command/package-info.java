/** The main class, the report of a start, and the commands that run instead of the server. */
package dev.tidemark.command;
