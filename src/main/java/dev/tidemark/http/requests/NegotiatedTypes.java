package dev.tidemark.http.requests;

import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.core.MediaType;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * Rejects a request that accepts none of the media types of a path with several. The framework chooses one of them in
 * this case, and would reject only the response, after the page was read. It also ignores a weight of zero (RFC 9110,
 * 12.4.2).
 */
class NegotiatedTypes {

    private static final Pattern ZERO = Pattern.compile("0(\\.0*)?");

    /** The range that matches a type most specifically determines its weight. */
    private static final Comparator<MediaType> BY_SPECIFICITY = Comparator.comparing(MediaType::isWildcardType)
            .thenComparing(MediaType::isWildcardSubtype)
            .reversed();

    @ServerRequestFilter
    void rejectUnaccepted(ResteasyReactiveContainerRequestContext context) {
        // Null if the path has only one type: then the framework has checked Accept.
        MediaType chosen = context.getServerRequestContext().getResponseMediaType();
        if (chosen != null && !isAccepted(context.getAcceptableMediaTypes(), chosen)) {
            throw new NotAcceptableException();
        }
    }

    private static boolean isAccepted(List<MediaType> ranges, MediaType type) {
        return ranges.stream()
                .filter(range -> range.isCompatible(type))
                .max(BY_SPECIFICITY)
                .filter(range -> !hasWeightOfZero(range))
                .isPresent();
    }

    private static boolean hasWeightOfZero(MediaType range) {
        String weight = range.getParameters().get("q");
        return weight != null && ZERO.matcher(weight.strip()).matches();
    }
}
