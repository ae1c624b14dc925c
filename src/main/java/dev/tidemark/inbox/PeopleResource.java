package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Lists and renames the agents, to whom messages can be assigned, and the customers, who write them. */
@Path("/inbox/people")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
public class PeopleResource {

    private static final int MAX_NAME_LENGTH = 100;

    private static final String AGENTS = "select handle, name, color from inbox.agents order by handle";

    private static final String CUSTOMERS = "select id::text, name, color from inbox.customers order by name, id";

    private static final String RENAME_AGENT = "update inbox.agents set name = $2 where handle = $1";

    private static final String RENAME_CUSTOMER = "update inbox.customers set name = $2 where id = $1";

    /** @param id of an agent: the assignee of the agent's messages */
    record Person(String id, String name, String color) {}

    record People(List<Person> agents, List<Person> customers) {}

    record Rename(String name) {
        Rename {
            TextRules.require(name, MAX_NAME_LENGTH);
        }
    }

    private final Pool pool;

    PeopleResource(@ReactiveDataSource("inbox") Pool pool) {
        this.pool = pool;
    }

    @GET
    @Operation(hidden = true)
    public Uni<People> people() {
        return list(AGENTS).chain(agents -> list(CUSTOMERS).map(customers -> new People(agents, customers)));
    }

    @PATCH
    @Path("/agents/{handle}")
    @Operation(hidden = true)
    public Uni<Void> renameAgent(String handle, Rename rename) {
        return change(
                RENAME_AGENT, Tuple.of(handle, TextRules.requireContent(rename).name()));
    }

    @PATCH
    @Path("/customers/{id}")
    @Operation(hidden = true)
    public Uni<Void> renameCustomer(int id, Rename rename) {
        return change(
                RENAME_CUSTOMER, Tuple.of(id, TextRules.requireContent(rename).name()));
    }

    private Uni<List<Person>> list(String sql) {
        return pool.query(sql).execute().map(RowSet::stream).map(rows -> rows.map(
                        row -> new Person(row.getString(0), row.getString(1), row.getString(2)))
                .toList());
    }

    private Uni<Void> change(String sql, Tuple parameters) {
        return pool.preparedQuery(sql).execute(parameters).map(result -> {
            if (result.rowCount() == 0) {
                throw new NotFoundException();
            }
            return null;
        });
    }
}
