package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.Access;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.Feed.Policy;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses the access rules of one feed. An invalid rule is a fault, so that it never leaves a feed unrestricted. */
final class AccessParser {

    private static final Pattern CLAIM = Pattern.compile("claim:\\s*(\\S.*)");

    /** The directives that let shared caches store the response to a request with a token (RFC 9111, section 3.5). */
    private static final Set<String> SHARED_CACHING = Set.of("public", "s-maxage", "must-revalidate");

    private final FeedProperties properties;
    private final Faults.FeedFaults faults;

    AccessParser(FeedProperties properties, Faults.FeedFaults faults) {
        this.properties = properties;
        this.faults = faults;
    }

    Access parse(Policy policy) {
        Access access = new Access(roles(), scope());
        if (!access.scope().isEmpty() && policy.count().maxPrecision() == Precision.ESTIMATE) {
            // An exact count is allowed, because it includes only the caller's rows.
            faults.add(
                    "count",
                    "estimate is not allowed with a scope, because it includes rows outside the scope; use exact or none");
        }
        if (!access.isPublic()) {
            Stream.of(policy.cacheControl().split(","))
                    .map(directive -> directive.split("=")[0].strip().toLowerCase(Locale.ROOT))
                    .filter(SHARED_CACHING::contains)
                    .filter(directive ->
                            !directive.equals("must-revalidate") || !forbidsSharedCaching(policy.cacheControl()))
                    .forEach(directive -> faults.add(
                            "cache-control", "contains '" + directive + "', but roles or a scope restrict the feed"));
        }
        return access;
    }

    /**
     * Whether shared caches must not store responses. A {@code private} directive with field names does not count,
     * because it covers only those fields.
     */
    private static boolean forbidsSharedCaching(String cacheControl) {
        return Stream.of(cacheControl.split(","))
                .map(directive -> directive.strip().toLowerCase(Locale.ROOT))
                .anyMatch(Set.of("private", "no-store")::contains);
    }

    private Set<String> roles() {
        Set<String> roles = new TreeSet<>(properties.list("roles"));
        if (roles.isEmpty() && properties.isPresent("roles")) {
            faults.add("roles", "must not be empty; omit it if no role is required");
        }
        return roles;
    }

    private Map<String, String> scope() {
        Map<String, String> scope = new LinkedHashMap<>();
        Set<String> columns = new TreeSet<>(properties.namesBelow("scope"));
        for (String column : columns) {
            Optional<String> text = properties.text("scope", column);
            Matcher claim = CLAIM.matcher(text.orElse(""));
            if (claim.matches()) {
                scope.put(column, claim.group(1));
            } else {
                faults.add("scope." + column, "must be a claim, such as claim:tenant");
            }
        }
        if (columns.isEmpty() && properties.isPresent("scope")) {
            properties.markRead("scope");
            faults.add("scope", "must map columns to claims, such as tenant_id: \"claim:tenant\"");
        }
        return scope;
    }
}
