/**
 * Reads the pages of feeds, and counts the items of lists, with the reactive PostgreSQL client. {@code PgFeedReader}
 * gets the SQL of a page from the package {@code sql}, and {@code connection} sends it. {@code wire} takes the rows
 * out of the answer, and {@code PageReceiver} passes them to the sink. The package {@code hosts} is used only with
 * several hosts.
 */
@NullMarked
package dev.tidemark.postgres;

import org.jspecify.annotations.NullMarked;
