package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.Access;
import dev.tidemark.declare.FeedDeclaration.Membership;
import dev.tidemark.feed.Feed.CountPolicy.Precision;
import dev.tidemark.feed.Feed.Policy;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** The claims that are lists in the tokens of every issuer. */
    private static final Set<String> LISTS = Set.of("aud", "groups");

    private static final String SCOPE = "scope";
    private static final String WHERE = "where";
    private static final String IF = "if";

    private static final String A_MEMBERSHIP =
            "a membership, such as {in: members.channel_id, where: {user_id: \"claim:sub\"}}";

    /** A column, with or without double quotes, after the SQL name of its table. */
    private static final Pattern MEMBER_COLUMN =
            Pattern.compile("(?<table>.*\\S)\\s*\\.\\s*(?<column>\"(?:[^\"]|\"\")+\"|[^\".\\s]+)");

    /** The directives that let shared caches store the response to a request with a token (RFC 9111, section 3.5). */
    private static final Set<String> SHARED_CACHING = Set.of("public", "s-maxage", "must-revalidate");

    private final FeedProperties properties;
    private final Faults.FeedFaults faults;

    AccessParser(FeedProperties properties, Faults.FeedFaults faults) {
        this.properties = properties;
        this.faults = faults;
    }

    Access parse(Policy policy) {
        Access access = new Access(
                PolicyParser.flag(properties, faults, "public").orElse(false), roles(), scope(), memberships());
        if (access.hasScope() && policy.count().maxPrecision() == Precision.ESTIMATE) {
            // An exact count is allowed, because it includes only the caller's rows.
            faults.add(
                    "count",
                    "estimate is not allowed with a scope, because it includes rows outside the scope; use exact or none");
        }
        if (access.declaredPublic() && !access.isPublic()) {
            faults.add("public", "must not be true, because roles or a scope restrict the feed");
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

    /** The columns of the scope that are limited to the value of a claim. */
    private Map<String, String> scope() {
        Map<String, String> scope = new LinkedHashMap<>();
        Set<String> columns = new TreeSet<>(properties.namesBelow(SCOPE));
        for (String column : columns) {
            Optional<String> claim = properties.text(SCOPE, column).flatMap(AccessParser::claim);
            claim.ifPresentOrElse(
                    name -> scope.put(column, checked(name, "scope." + column)),
                    () -> faults.add("scope." + column, "must be a claim, such as claim:tenant, or " + A_MEMBERSHIP));
        }
        if (properties.childrenOf(SCOPE).isEmpty() && properties.isPresent(SCOPE)) {
            properties.markRead(SCOPE);
            faults.add("scope", "must map columns to claims, such as tenant_id: \"claim:tenant\"");
        }
        return scope;
    }

    private static Optional<String> claim(String text) {
        Matcher claim = CLAIM.matcher(text);
        return claim.matches() ? Optional.of(claim.group(1)) : Optional.empty();
    }

    private String checked(String claim, String property) {
        if (LISTS.contains(claim)) {
            faults.add(
                    property,
                    "the claim " + claim + " is a list, which no column equals, so nobody could read the feed");
        }
        return claim;
    }

    private List<Membership> memberships() {
        Set<String> columns = new TreeSet<>(properties.childrenOf(SCOPE));
        columns.removeAll(properties.namesBelow(SCOPE));
        return columns.stream().map(this::membership).toList();
    }

    private Membership membership(String column) {
        Matcher source =
                MEMBER_COLUMN.matcher(properties.text(SCOPE, column, "in").orElse(""));
        boolean hasSource = source.matches();
        Membership membership = new Membership(
                column,
                hasSource ? source.group("table") : "",
                hasSource ? unquoted(source.group("column")) : "",
                where(column),
                properties.text(SCOPE, column, IF));
        if (properties.isBlank(SCOPE, column, IF)) {
            faults.add(membership.property(IF), "must not be empty; omit it if every row is a membership");
        }
        if (!hasSource) {
            faults.add(
                    membership.property("in"),
                    "must be the column of a table that has the values of " + column
                            + ", such as public.members.channel_id");
        }
        if (membership.where().isEmpty()
                && properties.childrenOf(SCOPE, column, WHERE).isEmpty()) {
            faults.add(membership.property(WHERE), "must map columns to claims, such as {user_id: \"claim:sub\"}");
        }
        return membership;
    }

    private static String unquoted(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name;
    }

    private Map<String, String> where(String column) {
        Map<String, String> where = new LinkedHashMap<>();
        for (String name : new TreeSet<>(properties.childrenOf(SCOPE, column, WHERE))) {
            properties
                    .text(SCOPE, column, WHERE, name)
                    .flatMap(AccessParser::claim)
                    .ifPresentOrElse(
                            claim -> where.put(name, checked(claim, "scope." + column + ".where." + name)),
                            () -> faults.add(
                                    "scope." + column + ".where." + name, "must be a claim, such as claim:sub"));
        }
        return where;
    }
}
