/** The main class, and the commands that run instead of the server. */
package dev.tidemark.command;
