package dev.tidemark.http.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.NotAcceptableException;
import java.util.Comparator;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses a request whose {@code Accept} gives JSON a weight of zero (RFC 9110, 12.4.2), which the framework ignores when a
 * resource has one type only. Of the media ranges that match JSON, the most specific one counts.
 */
class RefusedJson {

    @ServerRequestFilter
    void refuse(RoutingContext request) {
        if (request.request().headers().contains(HttpHeaders.ACCEPT)
                && isIn(request.parsedHeaders().accept())) {
            throw new NotAcceptableException();
        }
    }

    /** Not where the client takes an event stream: the framework has chosen that then, if the resource has one. */
    private static boolean isIn(List<MIMEHeader> accepted) {
        return accepted.stream().noneMatch(range -> range.weight() > 0 && is(range, "text", "event-stream"))
                && accepted.stream()
                        .filter(range -> specificity(range) > 0)
                        .max(Comparator.comparing(RefusedJson::specificity).thenComparing(MIMEHeader::weight))
                        .filter(range -> range.weight() == 0)
                        .isPresent();
    }

    /** 0 for a range that does not match JSON. */
    private static int specificity(MIMEHeader range) {
        if (is(range, "application", "json")) {
            return 3;
        } else if (is(range, "application", "*")) {
            return 2;
        }
        return is(range, "*", "*") ? 1 : 0;
    }

    private static boolean is(MIMEHeader range, String type, String subtype) {
        return range.component().equalsIgnoreCase(type)
                && range.subComponent().strip().equalsIgnoreCase(subtype);
    }
}
