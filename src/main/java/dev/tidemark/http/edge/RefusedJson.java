package dev.tidemark.http.edge;

import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Whether a client says that it takes no JSON: a weight of zero refuses (RFC 9110, 12.4.2), and of the media ranges that
 * match, the most specific one counts. The framework takes no notice of weights when only one type can be had.
 */
class RefusedJson {

    @ServerRequestFilter
    void refuse(HttpServerRequest request) {
        if (isIn(request.headers().getAll("Accept"))) {
            throw new NotAcceptableException();
        }
    }

    /**
     * Never where an event stream is taken: the framework has chosen that then, where there is one.
     *
     * @param lines of the header, as often as it was sent
     */
    static boolean isIn(List<String> lines) {
        int closest = 0;
        boolean refused = false;
        for (String range : String.join(",", lines).split(",")) {
            String[] parameters = range.split(";");
            String type = parameters.length == 0 ? "" : parameters[0].strip();
            if (type.equalsIgnoreCase(MediaType.SERVER_SENT_EVENTS) && !isZero(parameters)) {
                return false;
            }
            int closeness = closeness(type);
            if (closeness > closest || closeness > 0 && closeness == closest && refused) {
                closest = closeness;
                refused = isZero(parameters);
            }
        }
        return refused;
    }

    /** How closely a range names JSON; 0 where it does not. */
    private static int closeness(String range) {
        if (range.equals("*/*")) {
            return 1;
        } else if (range.equalsIgnoreCase("application/*")) {
            return 2;
        }
        return range.equalsIgnoreCase("application/json") ? 3 : 0;
    }

    private static boolean isZero(String[] parameters) {
        for (int i = 1; i < parameters.length; i++) {
            if (parameters[i].strip().matches("[qQ]=0(\\.0*)?")) {
                return true;
            }
        }
        return false;
    }
}
