package dev.tidemark.inbox;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.RowSet;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Lists the agents, to whom messages can be assigned, and the customers, who write them. */
@Path("/inbox/people")
@Produces(MediaType.APPLICATION_JSON)
@IfBuildProfile(anyOf = {"dev", "test", "try-it"})
public class PeopleResource {

    private static final String AGENTS = "select handle, name, color from inbox.agents order by handle";

    private static final String CUSTOMERS = "select id::text, name, color from inbox.customers order by name, id";

    /** @param id of an agent: the assignee of the agent's messages */
    record Person(String id, String name, String color) {}

    record People(List<Person> agents, List<Person> customers) {}

    private final Pool pool;

    PeopleResource(@ReactiveDataSource("inbox") Pool pool) {
        this.pool = pool;
    }

    @GET
    @Operation(hidden = true)
    public Uni<People> people() {
        return list(AGENTS).chain(agents -> list(CUSTOMERS).map(customers -> new People(agents, customers)));
    }

    private Uni<List<Person>> list(String sql) {
        return pool.query(sql).execute().map(RowSet::stream).map(rows -> rows.map(
                        row -> new Person(row.getString(0), row.getString(1), row.getString(2)))
                .toList());
    }
}
