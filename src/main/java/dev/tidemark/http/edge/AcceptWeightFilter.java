package dev.tidemark.http.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.jboss.resteasy.reactive.common.util.ServerMediaType;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * Rejects a request whose {@code Accept} gives a weight of zero to the media type of the response (RFC 9110, 12.4.2).
 * The framework ignores such a weight. Of the media ranges that match the type, the most specific one determines the
 * weight.
 */
class AcceptWeightFilter {

    /** The media types of responses other than JSON. */
    private static final List<MediaType> OTHER_TYPES =
            List.of(new MediaType("application", "x-ndjson"), MediaType.SERVER_SENT_EVENTS_TYPE);

    /**
     * If the weight of JSON is zero, replaces {@code Accept} with the other accepted types, if there are any. For
     * {@code application/json;q=0, *}{@code /*}, the framework would otherwise choose JSON, although another type may
     * be available.
     */
    @ServerRequestFilter(preMatching = true)
    void excludeJson(RoutingContext routing, ContainerRequestContext context) {
        String accept = routing.request().getHeader(HttpHeaders.ACCEPT);
        if (accept == null || accept.indexOf('*') < 0 || !accept.contains("=0")) {
            return;
        }
        List<MIMEHeader> acceptedRanges = parseAccept(routing);
        if (weight(acceptedRanges, MediaType.APPLICATION_JSON_TYPE).orElse(1) == 0) {
            List<String> others = OTHER_TYPES.stream()
                    .filter(type -> weight(acceptedRanges, type).orElse(0) > 0)
                    .map(MediaType::toString)
                    .toList();
            if (!others.isEmpty()) {
                context.getHeaders().put(HttpHeaders.ACCEPT.toString(), new ArrayList<>(others));
            }
        }
    }

    @ServerRequestFilter
    void rejectZeroWeight(RoutingContext routing, ResteasyReactiveContainerRequestContext context) {
        if (routing.request().headers().contains(HttpHeaders.ACCEPT)) {
            List<MIMEHeader> acceptedRanges = parseAccept(routing);
            // If several resources share a path, the framework has already chosen one, and does not check Accept again.
            MediaType chosenType = context.getServerRequestContext().getResponseMediaType();
            double weight = chosenType == null
                    ? weight(acceptedRanges, onlyType(context)).orElse(1)
                    : weight(acceptedRanges, chosenType).orElse(0);
            if (weight == 0) {
                throw new NotAcceptableException();
            }
        }
    }

    /** Returns the media type of a resource that shares its path with no other. */
    private static MediaType onlyType(ResteasyReactiveContainerRequestContext context) {
        ServerMediaType produced = ((ResteasyReactiveRequestContext) context.getServerRequestContext())
                .getTarget()
                .getProduces();
        return produced == null ? MediaType.APPLICATION_JSON_TYPE : produced.getSortedOriginalMediaTypes()[0];
    }

    private static List<MIMEHeader> parseAccept(RoutingContext routing) {
        try {
            List<MIMEHeader> acceptedRanges = routing.parsedHeaders().accept();
            // A range is parsed only when one of its values is read.
            acceptedRanges.forEach(MIMEHeader::weight);
            return acceptedRanges;
        } catch (IndexOutOfBoundsException malformed) {
            // The parser fails if the value of a parameter is a lone double quote.
            throw new BadRequestException(malformed);
        }
    }

    private static OptionalDouble weight(List<MIMEHeader> acceptedRanges, MediaType type) {
        return acceptedRanges.stream()
                .filter(range -> specificity(range, type) > 0)
                .max(Comparator.<MIMEHeader>comparingInt(range -> specificity(range, type))
                        .thenComparing(MIMEHeader::weight))
                .stream()
                .mapToDouble(MIMEHeader::weight)
                .findFirst();
    }

    /** Returns how specifically the range matches the type, or 0 if it does not match. */
    private static int specificity(MIMEHeader range, MediaType type) {
        if (matches(range, type.getType(), type.getSubtype())) {
            return 3;
        } else if (matches(range, type.getType(), "*")) {
            return 2;
        }
        return matches(range, "*", "*") ? 1 : 0;
    }

    private static boolean matches(MIMEHeader range, String type, String subtype) {
        return range.component().equalsIgnoreCase(type)
                && range.subComponent().strip().equalsIgnoreCase(subtype);
    }
}
