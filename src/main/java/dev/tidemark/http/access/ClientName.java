package dev.tidemark.http.access;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients apart, for limits that they share: by the subject of their token or, if the feed is public or the token
 * has none, by their address. Of an IPv6 address, only the first 64 bits count, because one client has all addresses of
 * such a network. Behind a proxy, the address is that of the proxy, unless Quarkus is configured to trust its headers.
 */
public final class ClientName {

    private static final int IPV6_BYTES = 16;
    private static final int NETWORK_BYTES = 8;

    /** How an IPv6 address begins that stands for the IPv4 address in its last four bytes. */
    private static final byte[] MAPPED_IPV4 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private ClientName() {}

    /** @return a name that is the same for all requests of one client in this process */
    public static String of(Caller caller, RoutingContext request) {
        return caller.subject()
                .map(subject -> "subject " + subject)
                .orElseGet(() -> ofAddress(request.request().remoteAddress()));
    }

    static String ofAddress(@Nullable SocketAddress address) {
        String host = address == null ? null : address.hostAddress();
        if (host == null) {
            return "unknown";
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null || bytes.length < IPV6_BYTES) {
            return "address " + host;
        }
        return Arrays.mismatch(bytes, MAPPED_IPV4) == MAPPED_IPV4.length
                ? "address " + NetUtil.bytesToIpAddress(bytes, MAPPED_IPV4.length, IPV6_BYTES - MAPPED_IPV4.length)
                : "network " + HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES));
    }
}
