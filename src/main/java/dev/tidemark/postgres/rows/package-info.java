/**
 * The rows that a statement returns, and the receivers that turn them into a result.
 *
 * <p>Rows reach a {@link dev.tidemark.postgres.rows.RowReceiver} on one of two paths. To a receiver that accepts rows
 * in wire format, as those of pages do, {@code RowTap} in the package {@code wire} passes them as such, and the driver
 * does not see them. For any other, the driver decodes each row and
 * passes it to the receiver's collector. On both paths, the end of the answer
 * reaches the driver, which then asks the collector for the result. If a receiver accepts rows in wire format, its
 * collector therefore accumulates into the receiver itself. Otherwise, these rows would be missing from the result.
 */
@NullMarked
package dev.tidemark.postgres.rows;

import org.jspecify.annotations.NullMarked;
