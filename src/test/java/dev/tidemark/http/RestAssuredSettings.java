package dev.tidemark.http;

import io.quarkus.test.junit.callback.QuarkusTestBeforeClassCallback;
import io.restassured.RestAssured;
import io.restassured.config.DecoderConfig;
import io.restassured.config.HeaderConfig;
import io.restassured.config.RedirectConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.http.Header;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.util.Set;
import java.util.TreeSet;

/**
 * Sets REST Assured up for all {@code @QuarkusTest}s: it sends URLs as the test writes them and no
 * {@code Accept-Encoding}, and neither decompresses responses nor follows redirects.
 */
public final class RestAssuredSettings implements QuarkusTestBeforeClassCallback {

    @Override
    public void beforeClass(Class<?> testClass) {
        RestAssured.urlEncodingEnabled = false;
        RestAssured.config = RestAssuredConfig.config()
                .redirect(RedirectConfig.redirectConfig().followRedirects(false))
                // Unlike by default, a request can have several lines of Accept.
                .headerConfig(HeaderConfig.headerConfig().overwriteHeadersWithName("Content-Type"))
                .decoderConfig(DecoderConfig.decoderConfig().noContentDecoders().defaultContentCharset("UTF-8"));
        RestAssured.replaceFiltersWith(new SingleHeaders());
    }

    /** Checks that no header occurs twice. {@link Response#header} would return only one of its values. */
    private static final class SingleHeaders implements Filter {

        @Override
        public Response filter(
                FilterableRequestSpecification request,
                FilterableResponseSpecification expected,
                FilterContext context) {
            Response response = context.next(request, expected);
            Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            for (Header header : response.headers()) {
                if (!names.add(header.getName())) {
                    throw new AssertionError(header.getName() + " occurs more than once: " + response.headers());
                }
            }
            return response;
        }
    }
}
