/**
 * Runs queries on a primary and its standbys: polls the hosts, chooses one for each read, and proves which state of
 * the database the read has seen. Not used if the database has a single host.
 */
@NullMarked
package dev.tidemark.postgres.hosts;

import org.jspecify.annotations.NullMarked;
