package dev.tidemark.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which claim a name means. */
class ClaimNameTest {

    private static final Map<String, Object> CLAIMS = Map.of(
            "custom:tenant", "custom",
            "https://example.com/tenant", "namespaced",
            "https://hasura.io/jwt/claims", Map.of("x-hasura-org.id", "member of a namespaced object"),
            "app_metadata", Map.of("tenant_id", "nested", "deep", Map.of("a", 7)),
            "app_metadata.tenant_id.literal", "literal",
            "a", Map.of("b.c", "b.c of a", "b", Map.of("c", "c of b of a")),
            "a.b", Map.of("d", "d of a.b"));

    private static Object find(String name) {
        return ClaimName.find(CLAIMS::get, name);
    }

    @Test
    void aLiteralNameComesFirst() {
        assertThat(find("custom:tenant")).isEqualTo("custom");
        assertThat(find("https://example.com/tenant")).isEqualTo("namespaced");
        assertThat(find("app_metadata.tenant_id.literal")).isEqualTo("literal");
        assertThat(find("a.b.c")).as("in an object, too").isEqualTo("b.c of a");
    }

    @Test
    void aDotSeparatesAnObjectFromItsMember() {
        assertThat(find("app_metadata.tenant_id")).isEqualTo("nested");
        assertThat(find("app_metadata.deep.a")).isEqualTo(7);
        assertThat(find("https://hasura.io/jwt/claims.x-hasura-org.id")).isEqualTo("member of a namespaced object");
        assertThat(find("a.b.d")).isEqualTo("d of a.b");
    }

    @Test
    void whatIsNotThereIsMissing() {
        for (String name : new String[] {
            "none",
            "app_metadata.none",
            "none.tenant_id",
            "custom:tenant.x",
            "app_metadata.",
            ".tenant_id",
            ".",
            "",
            "a..b"
        }) {
            assertThat(find(name)).as(name).isNull();
        }
    }
}
