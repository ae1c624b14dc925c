package dev.tidemark.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.cursor.Token;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinksTest {

    private static final String PATH = "/api/messages";
    private static final PageMembers MIDDLE_PAGE = members(true);

    @Test
    void aPageInTheMiddleHasNextPrevAndFirst() {
        assertThat(new Links(PATH, "cursor=C").header(MIDDLE_PAGE))
                .isEqualTo("</api/messages?cursor=LAST>; rel=\"next\", </api/messages?cursor=TOP>; rel=\"prev\","
                        + " </api/messages>; rel=\"first\"");
    }

    @Test
    void noLinkLeadsToAnEmptyPage() {
        assertThat(new Links(PATH, null).header(members(false))).isEqualTo("</api/messages>; rel=\"first\"");
    }

    @Test
    void orderFiltersLimitAndFieldsAreKeptAsWritten() {
        assertThat(next("status=open&status=a%26b&limit=2&cursor=C&order=oldest&fields=id,subject"))
                .isEqualTo("/api/messages?status=open&status=a%26b&limit=2&order=oldest&fields=id,subject&cursor=LAST");
    }

    @Test
    void linksOmitJumpsAndThePrevLinkOmitsUntil() {
        String query = "around=2026-01-16T10:00:00Z&from=1&from_id=2&around_id=3&until=U&limit=2";
        assertThat(new Links(PATH, query).header(MIDDLE_PAGE))
                .isEqualTo("</api/messages?until=U&limit=2&cursor=LAST>; rel=\"next\","
                        + " </api/messages?limit=2&cursor=TOP>; rel=\"prev\","
                        + " </api/messages?until=U&limit=2>; rel=\"first\"");
    }

    @Test
    void parameterNamesAreComparedDecoded() {
        assertThat(next("%63ursor=C&limit=2")).isEqualTo("/api/messages?limit=2&cursor=LAST");
        assertThat(next("cursor&&limit=2&")).isEqualTo("/api/messages?limit=2&cursor=LAST");
        assertThat(next("subject.prefix=cursor=1")).isEqualTo("/api/messages?subject.prefix=cursor=1&cursor=LAST");
    }

    @Test
    void charactersThatWouldEndALinkAreEscaped() {
        assertThat(next("subject.prefix=>;\"<{")).isEqualTo("/api/messages?subject.prefix=%3e;%22%3c%7b&cursor=LAST");
    }

    @Test
    void aLongLinkIsNotLeftOut() {
        assertThat(new Links(PATH, "subject.prefix=" + "x".repeat(15_000)).header(MIDDLE_PAGE))
                .contains("rel=\"next\"", "rel=\"prev\"", "rel=\"first\"");
    }

    private static PageMembers members(boolean hasNeighbors) {
        Optional<Token> top = Optional.of(new Token("TOP", new byte[0]));
        Optional<Token> last = Optional.of(new Token("LAST", new byte[0]));
        return new PageMembers(
                top,
                last,
                top.filter(token -> hasNeighbors),
                last.filter(token -> hasNeighbors),
                30,
                false,
                30,
                Optional.empty());
    }

    private static String next(String query) {
        String header = new Links(PATH, query).header(MIDDLE_PAGE);
        return header.substring(1, header.indexOf('>'));
    }
}
