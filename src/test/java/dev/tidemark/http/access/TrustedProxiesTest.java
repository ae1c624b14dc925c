package dev.tidemark.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.7",
                " 10.0.0.7 ",
                "10.0.0.7:8443",
                "10.0.0.0/8",
                "localhost",
                "[2001:db8::7]",
                "[2001:db8::7]:443",
                "2001:db8::/32"
            })
    void anAddressOrANetworkIsNoReasonForAWarning(String proxy) {
        assertThat(warnings(proxy)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy.internal", "proxy.internal:443", "proxy", "localhost:80x"})
    void aHostNameIsLookedUpInEachRequest(String proxy) {
        assertThat(warnings(proxy)).singleElement().asString().contains("the host name " + proxy.split(":4")[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "2001:db8::7"})
    void anAddressWithoutBracketsCountsAsAHostName(String proxy) {
        assertThat(warnings("10.0.0.7", proxy)).singleElement().asString().contains("write [" + proxy + "]");
    }

    @Test
    void withoutTrustedProxiesThereIsNoWarning() {
        assertThat(new TrustedProxies(Optional.empty()).warnings()).isEmpty();
    }

    private static List<String> warnings(String... proxies) {
        return new TrustedProxies(Optional.of(List.of(proxies))).warnings();
    }
}
