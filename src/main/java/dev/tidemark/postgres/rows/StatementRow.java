package dev.tidemark.postgres.rows;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType.EpochType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.feed.read.RowValues;
import dev.tidemark.feed.value.FloatText;
import dev.tidemark.feed.value.TemporalText;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A row of a statement that reads a page. The feed's columns come first, at the indexes that {@link RowValues} uses;
 * the columns that follow depend on the statement.
 */
public abstract class StatementRow implements RowValues {

    /**
     * Returns a row with the same values of some columns, which later rows do not overwrite.
     *
     * @param columns accepts the indexes of the columns whose values are read from the copy
     */
    public abstract StatementRow copy(IntPredicate columns);

    /** Returns a value in the form that positions have: PostgreSQL's text, or {@code null} for a SQL NULL. */
    public @Nullable String positionText(int index, Column column) {
        if (isNull(index)) {
            return null;
        }
        if (column.type() instanceof EpochType) {
            return Long.toString(integer(index));
        }
        if (!(column.type() instanceof Scalar scalar)) {
            return text(index);
        }
        return switch (scalar) {
            case SMALLINT, INTEGER, BIGINT -> Long.toString(integer(index));
            case REAL -> FloatText.format(real(index));
            case DOUBLE -> FloatText.format(doublePrecision(index));
            case BOOLEAN -> Boolean.toString(bool(index));
            case UUID -> uuid(index).toString();
            case DATE -> TemporalText.formatDate(epochDay(index));
            case TIMESTAMP -> TemporalText.formatTimestamp(microsSince2000(index), false);
            case TIMESTAMPTZ -> TemporalText.formatTimestamp(microsSince2000(index), true);
            case NUMERIC, TEXT, TIME -> text(index);
            case JSON, BYTEA, OTHER -> throw new IllegalStateException("no key is of type " + scalar);
        };
    }
}
