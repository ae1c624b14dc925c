/** The feed that ships: a support inbox, its schema and its sample data. Not part of what is deployed. */
package dev.tidemark.inbox;
