package dev.tidemark.http.access;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the claim that a name means. */
final class ClaimName {

    private ClaimName() {}

    /**
     * Finds a claim by its literal name, such as {@code https://example.com/tenant}. If there is none of that name, a
     * dot separates the name of an object from that of its member, for which the same rule holds: {@code
     * app_metadata.tenant_id}.
     *
     * @param claims returns null for a claim that is missing
     * @return null if the claim is missing
     */
    static @Nullable Object find(Function<String, @Nullable Object> claims, String name) {
        Object claim = claims.apply(name);
        for (int dot = name.indexOf('.'); claim == null && dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (claims.apply(name.substring(0, dot)) instanceof Map<?, ?> object) {
                claim = find(object::get, name.substring(dot + 1));
            }
        }
        return claim;
    }
}
