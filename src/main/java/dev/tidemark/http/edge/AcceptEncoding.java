package dev.tidemark.http.edge;

import java.util.List;

/** Which content coding a client takes (RFC 9110, 12.5.3), of the one there is: gzip. */
final class AcceptEncoding {

    private static final int UNSAID = -1;

    private double gzip = UNSAID;
    private double identity = UNSAID;
    private double any = UNSAID;

    private AcceptEncoding() {}

    /**
     * Whether the client asks for gzip, and would not rather have the bytes as they are.
     *
     * @param lines of the header, as often as it was sent
     */
    static boolean isGzip(List<String> lines) {
        AcceptEncoding accepted = new AcceptEncoding();
        for (String line : lines) {
            for (int start = 0, end; start < line.length(); start = end + 1) {
                end = line.indexOf(',', start);
                end = end < 0 ? line.length() : end;
                accepted.take(line.substring(start, end));
            }
        }
        double gzip = accepted.gzip == UNSAID ? accepted.any : accepted.gzip;
        return gzip > 0 && gzip >= accepted.identity;
    }

    private void take(String element) {
        int semicolon = element.indexOf(';');
        String coding = (semicolon < 0 ? element : element.substring(0, semicolon)).strip();
        double weight = semicolon < 0 ? 1 : weight(element.substring(semicolon + 1));
        if (coding.equalsIgnoreCase("gzip") || coding.equalsIgnoreCase("x-gzip")) {
            gzip = weight;
        } else if (coding.equalsIgnoreCase("identity")) {
            identity = weight;
        } else if (coding.equals("*")) {
            any = weight;
        }
    }

    /** What cannot be read is no wish. */
    private static double weight(String parameter) {
        int equals = parameter.indexOf('=');
        if (equals < 0 || !parameter.substring(0, equals).strip().equalsIgnoreCase("q")) {
            return 0;
        }
        try {
            return Double.parseDouble(parameter.substring(equals + 1));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
