/**
 * Polls the hosts of one database, a primary and its standbys, and chooses which of them answers a read. Unused if the
 * database has a single host.
 */
package dev.tidemark.postgres.hosts;
