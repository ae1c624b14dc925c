package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/**
 * Serves the stability lab: offset pages, the data in the database with which the lab compares what it shows, and
 * messages that are committed late.
 */
@Path("/inbox/lab")
@Produces(MediaType.APPLICATION_JSON)
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
public class LabResource {

    record Item(String id, String subject, String value) {}

    record OffsetPage(List<Item> items, long offset) {}

    record Horizon(String at, long rows) {}

    record UnmovedItems(List<Long> ids) {}

    /** @param version changes with every edit */
    record Message(
            String id, String version, String subject, String status, String assignee, String agent, String customer) {}

    record NewestMessages(List<Message> items) {}

    private static final String NEWEST = """
            select m.id::text, coalesce(extract(epoch from edited_at)::text, ''), subject, status::text, assignee,
                agents.name, customers.name
            from public.messages as m
            left join inbox.agents on agents.handle = assignee left join inbox.customers on customers.id = customer_id
            where deleted_at is null order by created_at desc, m.id desc limit $1""";

    /**
     * The time of creation is the time at which the transaction began, so these messages appear below messages that
     * were committed in the meantime.
     */
    private static final String INSERT = """
            insert into public.messages (subject, body) select 'Committed late', 'A body.' from generate_series(1, $1)""";

    private final Pool readPool;
    private final Pool writePool;
    private final Pool latePool;

    LabResource(Pool readPool, @ReactiveDataSource("inbox") Pool writePool, @ReactiveDataSource("late") Pool latePool) {
        this.readPool = readPool;
        this.writePool = writePool;
        this.latePool = latePool;
    }

    @GET
    @Path("/offset")
    @Operation(hidden = true)
    public Uni<RestResponse<OffsetPage>> offsetPage(
            @RestQuery @DefaultValue("newest") String order,
            @RestQuery @DefaultValue("0") long offset,
            @RestQuery @DefaultValue("30") long limit) {
        if (offset < 0 || limit < 1 || limit > 100) {
            throw new BadRequestException();
        }
        var startNanos = System.nanoTime();
        return readPool.preparedQuery(sql(order).offsetPage)
                .execute(Tuple.of(limit, offset))
                .map(rows -> ResponseBuilder.ok(new OffsetPage(
                                rows.stream()
                                        .map(row -> new Item(row.getString(0), row.getString(1), row.getString(2)))
                                        .toList(),
                                offset))
                        .header("Server-Timing", "db;dur=" + millisecondsSince(startNanos))
                        .header("Cache-Control", "no-store")
                        .build());
    }

    /**
     * Returns a time between two changes: earlier changes are committed, and later changes have later timestamps. The
     * query runs on the connection that writes the changes, so only a late commit can run at the same time.
     */
    @GET
    @Path("/horizon")
    @Operation(hidden = true)
    public Uni<Horizon> horizon() {
        return writePool
                .query("""
                        select to_json(clock_timestamp()) #>> '{}',
                            (select count(*) from public.messages where deleted_at is null)""")
                .execute()
                .map(rows -> rows.iterator().next())
                .map(row -> new Horizon(row.getString(0), row.getLong(1)));
    }

    /**
     * Returns the items that have been in the list without moving since a given time, down to the deepest item shown.
     */
    @GET
    @Path("/standing")
    @Operation(hidden = true)
    public Uni<UnmovedItems> unmovedItems(
            @RestQuery @DefaultValue("newest") String order,
            @RestQuery String since,
            @RestQuery String value,
            @RestQuery long id) {
        return writePool
                .preparedQuery(sql(order).unmovedItems)
                .execute(Tuple.of(parseTime(since), value == null ? null : parseTime(value), id))
                .map(rows -> new UnmovedItems(
                        rows.stream().map(row -> row.getLong(0)).toList()));
    }

    /**
     * Returns the newest messages. The query runs on the one connection that writes the changes, so only a late commit
     * can run at the same time.
     */
    @GET
    @Path("/first")
    @Operation(hidden = true)
    public Uni<NewestMessages> newest(@RestQuery int limit) {
        if (limit < 1 || limit > 10_000) {
            throw new BadRequestException();
        }
        return writePool
                .preparedQuery(NEWEST)
                .execute(Tuple.of(limit))
                .map(rows -> new NewestMessages(
                        rows.stream().map(LabResource::message).toList()));
    }

    /** Inserts messages, and commits them after some time. */
    @POST
    @Path("/late")
    @Operation(hidden = true)
    public Uni<Void> insertAndCommitLate(@RestQuery int count, @RestQuery int seconds) {
        if (count < 1 || count > 100 || seconds < 0 || seconds > 10) {
            throw new BadRequestException();
        }
        return latePool.withTransaction(connection -> connection
                        .preparedQuery(INSERT)
                        .execute(Tuple.of(count))
                        .onItem()
                        .delayIt()
                        .by(Duration.ofSeconds(seconds)))
                .replaceWithVoid();
    }

    private static LabSql sql(String order) {
        return LabSql.ofOrder(order).orElseThrow(BadRequestException::new);
    }

    private static OffsetDateTime parseTime(String text) {
        try {
            return OffsetDateTime.parse(String.valueOf(text));
        } catch (DateTimeException e) {
            throw new BadRequestException(e);
        }
    }

    private static String millisecondsSince(long startNanos) {
        return String.format(Locale.ROOT, "%.3f", (System.nanoTime() - startNanos) / 1e6);
    }

    private static Message message(Row row) {
        return new Message(
                row.getString(0),
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6));
    }
}
