/**
 * Polls the hosts of one database, a primary and its standbys, and chooses the host for each read. Unused if the
 * database has a single host.
 */
package dev.tidemark.postgres.hosts;
