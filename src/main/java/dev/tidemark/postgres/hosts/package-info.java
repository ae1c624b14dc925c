/**
 * Several hosts of one database, a primary and its standbys: what each is, how far it has come, and which one may answer a read. Unused
 * with a single host.
 */
package dev.tidemark.postgres.hosts;
