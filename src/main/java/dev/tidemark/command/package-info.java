/** The commands that run instead of the server. */
package dev.tidemark.command;
