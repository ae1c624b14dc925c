package dev.tidemark.settings;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The syntax of a database's URL: that of libpq, with one host or several, or several such URLs with commas between.
 * The driver understands neither several hosts nor all addresses, and ignores parameters that it does not know. No
 * message contains a part of the URL that could be a password.
 */
final class DatabaseUrl {

    private static final Pattern PARTS = Pattern.compile("postgres(?:ql)?://(?:(?<userinfo>[^/?]*)@)?(?<hosts>[^/?]*)"
            + "(?:/(?<dbname>[^?]*))?(?:\\?(?<parameters>.*))?");

    private static final Pattern HOST = Pattern.compile("(?<host>\\[[^]]*]|[^:\\[\\]]*)(?::(?<port>[0-9]*))?");

    private DatabaseUrl() {}

    /**
     * Returns the URL's parameters under their names in libpq, decoded.
     *
     * @throws IllegalArgumentException whose message completes a sentence that begins with what contains the URL
     */
    static Map<String, String> parse(String text) {
        String[] urls = text.replaceAll("vertx-reactive:", "").split("\\s*,\\s*(?=postgres(ql)?://)", -1);
        Map<String, String> first = parseOne(urls[0].strip());
        for (int i = 1; i < urls.length; i++) {
            Map<String, String> next = parseOne(urls[i].strip());
            List.of("host", "port").forEach(name -> first.merge(name, next.get(name), (all, one) -> all + ',' + one));
            Map<String, String> common = new LinkedHashMap<>(first);
            next.putAll(Map.of("host", first.get("host"), "port", first.get("port")));
            if (!next.equals(common)) {
                throw new IllegalArgumentException("contains URLs that differ in more than the host and the port");
            }
        }
        first.values().removeIf(value -> value.matches(",*"));
        return first;
    }

    private static Map<String, String> parseOne(String url) {
        if (url.startsWith("jdbc:")) {
            throw new IllegalArgumentException("begins with jdbc:, which only JDBC understands; remove it");
        }
        Matcher parts = PARTS.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "is not a PostgreSQL URL, such as postgresql://db.example.org:5432/shop");
        }
        Map<String, String> found = new LinkedHashMap<>();
        addUser(parts.group("userinfo"), found);
        addHosts(parts.group("hosts"), found);
        String database = parts.group("dbname");
        if (database != null && !database.isEmpty()) {
            found.put("dbname", decode(database));
        }
        addParameters(parts.group("parameters"), found);
        return found;
    }

    private static void addUser(String userinfo, Map<String, String> found) {
        if (userinfo == null) {
            return;
        }
        if (userinfo.contains("@")) {
            throw new IllegalArgumentException("has more than one @; in a user or password, write %40");
        }
        int colon = userinfo.indexOf(':');
        found.put("user", decode(colon < 0 ? userinfo : userinfo.substring(0, colon)));
        if (colon >= 0) {
            found.put("password", decode(userinfo.substring(colon + 1)));
        }
    }

    private static void addHosts(String text, Map<String, String> found) {
        List<String> hosts = new ArrayList<>();
        List<String> ports = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Matcher host = HOST.matcher(one);
            if (!host.matches()) {
                throw new IllegalArgumentException(
                        "has a host or port that is none. In a password, write %2F for /, %3F"
                                + " for ?, and %40 for @; write an IPv6 address in brackets");
            }
            hosts.add(decode(host.group("host").replaceAll("[\\[\\]]", "")));
            ports.add(host.group("port") == null ? "" : host.group("port"));
        }
        found.put("host", String.join(",", hosts));
        found.put("port", String.join(",", ports));
    }

    private static void addParameters(String text, Map<String, String> found) {
        if (text == null || text.isEmpty()) {
            return;
        }
        for (String parameter : text.split("&", -1)) {
            int equals = parameter.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("has a parameter without a value");
            }
            found.put(decode(parameter.substring(0, equals)), decode(parameter.substring(equals + 1)));
        }
    }

    /** As in libpq, a plus is a plus. */
    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "has a % without two hexadecimal digits; for the sign itself, write %25");
        }
    }

    /** Encodes a part of a URL so that the driver, and a list with commas, take it as one. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = each >= '0' && each <= '9'
                    || each >= 'a' && each <= 'z'
                    || each >= 'A' && each <= 'Z'
                    || "-._~".indexOf(each) >= 0;
            encoded.append(isPlain ? String.valueOf((char) each) : "%%%02X".formatted(each));
        }
        return encoded.toString();
    }

    static String encodeQuery(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(parameter -> encode(parameter.getKey()) + '=' + encode(parameter.getValue()))
                .collect(Collectors.joining("&"));
    }
}
