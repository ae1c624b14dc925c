/**
 * Polls the hosts of one database, a primary and its standbys, and chooses the host for each read. A single host is not
 * polled.
 */
@NullMarked
package dev.tidemark.postgres.hosts;

import org.jspecify.annotations.NullMarked;
