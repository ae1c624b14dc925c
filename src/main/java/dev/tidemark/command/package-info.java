/**
 * The main class, the commands that run instead of the server, and two parts of the server's startup: the check of the
 * management port, and the startup report.
 */
package dev.tidemark.command;
