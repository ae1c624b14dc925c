import java.util.ArrayList;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.LettersApi;
import org.openapitools.client.api.LettersApi.APIListLettersRequest;
import org.openapitools.client.api.SpecimensApi;
import org.openapitools.client.api.SpecimensApi.APIListSpecimensRequest;
import org.openapitools.client.model.LettersItem;
import org.openapitools.client.model.LettersPage;
import org.openapitools.client.model.LettersStatusValue;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.SpecimensItem;

/** Scrolls a feed forward and back with the client that OpenAPI Generator makes from the server's document. */
class Scroll {

    private static final List<LettersStatusValue> STATUSES =
            List.of(LettersStatusValue.SAD, LettersStatusValue.VERY_HAPPY);

    private final ApiClient client = new ApiClient();
    private final LettersApi letters;

    Scroll(String url) {
        client.updateBaseUri(url);
        letters = new LettersApi(client);
    }

    public static void main(String[] arguments) throws Exception {
        Scroll scroll = new Scroll(arguments[0]);
        scroll.scroll();
        scroll.readValuesOfAllTypes();
        scroll.sendBadCursor();
    }

    private void scroll() throws ApiException {
        LettersPage page = page(null);
        List<LettersItem> forward = new ArrayList<>(page.getItems());
        while (page.getHasMore()) {
            page = page(page.getNextCursor());
            forward.addAll(page.getItems());
        }
        List<LettersItem> back = new ArrayList<>(page.getItems());
        while (page.getHasPrev()) {
            page = page(page.getPrevCursor());
            back.addAll(0, page.getItems());
        }
        List<Long> ids =
                forward.stream().map(LettersItem::getId).map(Long::valueOf).toList();
        check(ids.size() == 66);
        check(ids.stream().distinct().sorted().toList().equals(ids));
        check(back.equals(forward));
        System.out.println(forward.size() + " letters forward and " + back.size() + " back");
    }

    private LettersPage page(String cursor) throws ApiException {
        return letters.listLetters(APIListLettersRequest.newBuilder()
                .limit(7)
                .order("oldest")
                .status(STATUSES)
                .cursor(cursor)
                .build());
    }

    private void readValuesOfAllTypes() throws ApiException {
        List<SpecimensItem> specimens = new SpecimensApi(client)
                .listSpecimens(APIListSpecimensRequest.newBuilder().build())
                .getItems();
        check(specimens.get(1).getBig().equals("9223372036854775807"));
        check(specimens.get(1).getInts().get(0).equals(List.of(1, 2)));
        check(specimens.get(2).getExact().equals("NaN"));
    }

    private void sendBadCursor() throws Exception {
        try {
            page("made-up");
            check(false);
        } catch (ApiException refused) {
            Problem problem = client.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
            check(refused.getCode() == 400);
            check(problem.getCode() == Problem.CodeEnum.INVALID_CURSOR);
            check(problem.getParameter().equals("cursor"));
        }
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new AssertionError();
        }
    }
}
