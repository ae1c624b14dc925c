/** How changes of tables become known: {@code LISTEN}/{@code NOTIFY}, and polling. */
package dev.tidemark.postgres.changes;
