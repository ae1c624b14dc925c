package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestQuery;

/**
 * Serves the part of the stability lab in which a client keeps a list and refreshes it: commits messages late, and
 * returns the newest messages, with which the kept list is compared.
 */
@Path("/inbox/lab")
@Produces(MediaType.APPLICATION_JSON)
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
public class KeptListLabResource {

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

    private final Pool writePool;
    private final Pool latePool;

    KeptListLabResource(@ReactiveDataSource("inbox") Pool writePool, @ReactiveDataSource("late") Pool latePool) {
        this.writePool = writePool;
        this.latePool = latePool;
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
                        rows.stream().map(KeptListLabResource::message).toList()));
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
