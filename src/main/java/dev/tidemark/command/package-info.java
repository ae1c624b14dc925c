/** The main class, the report at startup, and the commands that run instead of the server. */
package dev.tidemark.command;
