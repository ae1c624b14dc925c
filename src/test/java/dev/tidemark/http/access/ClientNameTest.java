package dev.tidemark.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientNameTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "2001:db8:0:1::1, 2001:db8:0:1:ffff::2, true",
        "2001:db8:0:1::1, 2001:db8:0:2::1, false",
        "::ffff:192.0.2.1, 192.0.2.1, true",
        "::ffff:192.0.2.1, ::ffff:192.0.2.2, false"
    })
    void clientsAreToldApartByTheirAddressOrNetwork(String one, String other, boolean isSame) {
        assertThat(name(one).equals(name(other))).isEqualTo(isSame);
    }

    @Test
    void anUnknownAddressIsOneClient() {
        assertThat(ClientName.ofAddress(null))
                .isEqualTo(ClientName.ofAddress(SocketAddress.domainSocketAddress("/tmp/socket")));
    }

    private static String name(String address) {
        return ClientName.ofAddress(SocketAddress.inetSocketAddress(1_234, address));
    }
}
