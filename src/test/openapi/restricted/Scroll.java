import java.util.ArrayList;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.TicketsApi;
import org.openapitools.client.api.TicketsApi.APIListTicketsRequest;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.TicketsItem;
import org.openapitools.client.model.TicketsPage;

/**
 * Scrolls a feed that declares a scope, as the tenant that a token names, with the client that OpenAPI Generator
 * makes.
 */
class Scroll {

    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        sendNoToken(client);
        client.setRequestInterceptor(request -> request.header("Authorization", System.getenv("TIDEMARK_TOKEN")));
        scroll(new TicketsApi(client));
    }

    private static void sendNoToken(ApiClient client) throws Exception {
        try {
            new TicketsApi(client)
                    .listTickets(APIListTicketsRequest.newBuilder().build());
            check(false);
        } catch (ApiException refused) {
            Problem problem = client.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
            check(refused.getCode() == 401);
            check(problem.getCode() == Problem.CodeEnum.UNAUTHORIZED);
        }
    }

    private static void scroll(TicketsApi tickets) throws ApiException {
        List<TicketsItem> all = new ArrayList<>();
        String cursor = null;
        do {
            TicketsPage page = tickets.listTickets(
                    APIListTicketsRequest.newBuilder().limit(7).cursor(cursor).build());
            all.addAll(page.getItems());
            cursor = page.getNextCursor();
        } while (cursor != null);
        check(all.stream().map(TicketsItem::getId).distinct().count() == 20);
        System.out.println(all.size() + " tickets of the tenant");
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new AssertionError();
        }
    }
}
