package dev.tidemark.inbox;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;

/**
 * Generates the sample data: a number of messages in the six weeks before a fixed instant. The same seed and number
 * produce the same data.
 *
 * <p>One statement over {@code generate_series} creates all rows inside PostgreSQL, with a hash of seed and id instead
 * of {@code random()}. Ids ascend with {@code created_at}, and bursts of messages share one timestamp.
 */
record SampleMessages(long rows, long seed) {

    /**
     * Identifies the generator. Must be increased when the table changes, or when the same seed produces different
     * rows than before.
     */
    static final int VERSION = 4;

    /** The end of the six weeks; no message, edit or deletion is later. */
    static final OffsetDateTime END = OffsetDateTime.parse("2026-01-16T10:00:00Z");

    private static final long SIX_WEEKS_IN_MICROSECONDS = 42L * 24 * 60 * 60 * 1_000_000;

    /**
     * Parameters: $1 rows, $2 seed, $3 microseconds between messages, $4 the end, then the phrases, and
     * $12 customers.
     *
     * <p>A burst pattern has a digit for each of eight consecutive messages: the index, from 0 to 7, of the message
     * whose timestamp this message shares. {@code OFFSET 0} keeps the planner from flattening a subquery, so that each
     * of its values is computed once per message, even if several expressions use it.
     */
    private static final String INSERT = """
            insert into public.messages (
                id, created_at, edited_at, subject, body, status, assignee, deleted_at, customer_id)
            select i,
                   created_at,
                   case when inbox.dice(i, $2, 1, 100) < 30
                        then $4::timestamptz - inbox.later(age, inbox.dice(i, $2, 2, 1000000)) end,
                   replace(replace(
                       inbox.one_of($5, i, $2, 3),
                       '{order}', (40000 + inbox.dice(i, $2, 4, 60000))::text),
                       '{product}', inbox.one_of($6, i, $2, 5)),
                   inbox.one_of($7, i, $2, 6) || E'\\n\\n'
                       || inbox.one_of($8, i, $2, 7) || ' ' || inbox.one_of($9, i, $2, 8) || E'\\n\\n'
                       || inbox.one_of($10, i, $2, 9),
                   (case when dice_status < 15 then 'open' when dice_status < 40 then 'pending' else 'closed' end)
                       ::public.message_status,
                   case when inbox.dice(i, $2, 10, 100) >= 20 then inbox.one_of($11, i, $2, 11) end,
                   case when inbox.dice(i, $2, 12, 100) < 3
                        then $4::timestamptz - inbox.later(age, inbox.dice(i, $2, 13, 1000000)) end,
                   1 + inbox.dice(i, $2, 17, $12::int)
            from generate_series(1::bigint, $1::bigint) as i
            cross join lateral (
                select i - i % 8
                    + substr(inbox.one_of('{01234567,01133567,00034555,01234444}', i / 8, $2, 14), 1 + (i % 8)::int, 1)
                        ::bigint as first_of_burst,
                    inbox.dice(i, $2, 15, 100) as dice_status
                offset 0) as burst
            cross join lateral (
                select ($1 - first_of_burst) * $3 + inbox.dice(first_of_burst, $2, 16, $3) as age offset 0) as past
            cross join lateral (select $4::timestamptz - age * interval '1 microsecond' as created_at offset 0) as moment
            """;

    /** Inserts the messages and returns their number. */
    Uni<Integer> insertInto(SqlConnection connection) {
        var parameters = Tuple.tuple()
                .addLong(rows)
                .addLong(seed)
                .addLong(SIX_WEEKS_IN_MICROSECONDS / rows)
                .addOffsetDateTime(END)
                .addArrayOfString(Phrases.SUBJECTS)
                .addArrayOfString(Phrases.PRODUCTS)
                .addArrayOfString(Phrases.GREETINGS)
                .addArrayOfString(Phrases.COMPLAINTS)
                .addArrayOfString(Phrases.DETAILS)
                .addArrayOfString(Phrases.CLOSINGS)
                .addArrayOfString(SamplePeople.HANDLES)
                .addInteger(SamplePeople.CUSTOMERS);
        return connection.preparedQuery(INSERT).execute(parameters).map(result -> result.rowCount());
    }
}
