package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.Access;
import dev.tidemark.feed.Feed.Count.Precision;
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

/** Reads who may read one feed. A restriction that cannot be understood is a fault: it must never come to no restriction. */
final class AccessParser {

    private static final Pattern CLAIM = Pattern.compile("claim:\\s*(\\S.*)");

    /** With these, caches that many share may keep an answer to a request with a token (RFC 9111, 3.5). */
    private static final Set<String> SHARED = Set.of("public", "s-maxage", "must-revalidate");

    private final FeedProperties properties;
    private final Faults.ForFeed faults;

    AccessParser(FeedProperties properties, Faults.ForFeed faults) {
        this.properties = properties;
        this.faults = faults;
    }

    Access parse(Policy policy) {
        Access access = new Access(roles(), scope());
        if (!access.scope().isEmpty() && policy.count().most() == Precision.ESTIMATE) {
            // Exact counting stops at the cap, and sees nothing but the caller's rows.
            faults.add(
                    "count",
                    "an estimate is made of the rows of all, and tells of those of others under a scope; count exact or none");
        }
        if (!access.isPublic()) {
            Stream.of(policy.cacheControl().split(","))
                    .map(directive -> directive.split("=")[0].strip().toLowerCase(Locale.ROOT))
                    .filter(SHARED::contains)
                    .filter(directive -> !directive.equals("must-revalidate") || !isPrivate(policy.cacheControl()))
                    .forEach(directive -> faults.add(
                            "cache-control",
                            "says " + directive + ", and the feed is not everybody's: it has roles or a scope"));
        }
        return access;
    }

    /** With field names it says so of those fields only. */
    private static boolean isPrivate(String cacheControl) {
        return Stream.of(cacheControl.split(","))
                .map(directive -> directive.strip().toLowerCase(Locale.ROOT))
                .anyMatch(Set.of("private", "no-store")::contains);
    }

    private Set<String> roles() {
        Set<String> roles = new TreeSet<>(properties.list("roles"));
        if (roles.isEmpty() && properties.isPresent("roles")) {
            faults.add("roles", "is empty; leave it out where no role is needed");
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
                faults.add("scope." + column, "is no claim of a token; one is: claim:tenant");
            }
        }
        if (columns.isEmpty() && properties.isPresent("scope")) {
            properties.list("scope");
            faults.add("scope", "is a claim for each column, such as tenant_id: \"claim:tenant\"");
        }
        return scope;
    }
}
