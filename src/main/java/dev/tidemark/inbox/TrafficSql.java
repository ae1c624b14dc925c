package dev.tidemark.inbox;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;

/** The statements of the simulated traffic. PostgreSQL chooses messages and values at random. */
final class TrafficSql {

    private static final String ANY_PLACEHOLDER = "\\{any (\\$\\d)}";

    private static final String RANDOM_ELEMENT = "(($1::text[])[1 + floor(random() * cardinality($1::text[]))::int])";

    private static final String INSERT = """
            insert into public.messages (subject, body, assignee, customer_id)
            select replace(replace({any $2},
                       '{order}', (40000 + floor(random() * 60000))::text),
                       '{product}', {any $3}),
                   {any $4} || E'\\n\\n' || {any $5}
                       || E'\\n\\n' || {any $6},
                   case when random() < 0.5 then {any $7} end,
                   1 + floor(random() * $8)::int
            from generate_series(1, $1)
            """.replaceAll(ANY_PLACEHOLDER, RANDOM_ELEMENT);

    /**
     * Picks random messages, with a preference for new ones: about a third of the picks are among the newest 1 %. If a
     * picked message has been deleted, the next older message is used instead.
     */
    private static final String RANDOM_MESSAGES = """
            select distinct (
                select id from public.messages as m
                where m.id <= drawn.id and deleted_at is null order by m.id desc limit 1) as id
            from (
                select (newest - floor(power(random(), 4) * newest))::bigint as id
                from generate_series(1, $1), (select max(id) as newest from public.messages) as ids
                offset 0) as drawn
            """;

    private static final String EDIT = """
            update public.messages as m
            set status = (array['open', 'pending', 'closed'])[1 + floor(random() * 3)]::public.message_status,
                assignee = case when random() < 0.8 then {any $2} end
            from (%s) as picked where m.id = picked.id
            """.formatted(RANDOM_MESSAGES).replaceAll(ANY_PLACEHOLDER, RANDOM_ELEMENT);

    private static final String DELETE = """
            update public.messages as m set deleted_at = clock_timestamp() from (%s) as picked where m.id = picked.id
            """.formatted(RANDOM_MESSAGES);

    private TrafficSql() {}

    static Uni<Void> insert(Pool pool, int count) {
        return run(
                pool,
                INSERT,
                count,
                Tuple.tuple()
                        .addInteger(count)
                        .addArrayOfString(Phrases.SUBJECTS)
                        .addArrayOfString(Phrases.PRODUCTS)
                        .addArrayOfString(Phrases.GREETINGS)
                        .addArrayOfString(Phrases.COMPLAINTS)
                        .addArrayOfString(Phrases.CLOSINGS)
                        .addArrayOfString(SamplePeople.HANDLES)
                        .addInteger(SamplePeople.CUSTOMERS));
    }

    static Uni<Void> edit(Pool pool, int count) {
        return run(pool, EDIT, count, Tuple.tuple().addInteger(count).addArrayOfString(SamplePeople.HANDLES));
    }

    static Uni<Void> delete(Pool pool, int count) {
        return run(pool, DELETE, count, Tuple.of(count));
    }

    private static Uni<Void> run(Pool pool, String sql, int count, Tuple parameters) {
        return count == 0
                ? Uni.createFrom().voidItem()
                : pool.preparedQuery(sql).execute(parameters).replaceWithVoid();
    }
}
