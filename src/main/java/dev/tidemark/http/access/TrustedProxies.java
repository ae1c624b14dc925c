package dev.tidemark.http.access;

import io.netty.util.NetUtil;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Warns of trusted proxies that are host names. Quarkus looks up each of them in every request, which waits up to 5 s for
 * the answer, and takes an IPv6 address without brackets for a host name.
 */
@Singleton
public final class TrustedProxies {

    private static final Logger LOG = Logger.getLogger(TrustedProxies.class);
    private static final String SETTING = "QUARKUS_HTTP_PROXY_TRUSTED_PROXIES";

    /** A network, or an address or a name with or without a port. The first group is the address or name. */
    private static final Pattern PROXY = Pattern.compile("(?:.+/\\d+|(?:\\[(.+)]|([^:]+))(?::\\d+)?)");

    private final List<String> proxies;

    TrustedProxies(@ConfigProperty(name = "quarkus.http.proxy.trusted-proxies") Optional<List<String>> proxies) {
        this.proxies = proxies.orElse(List.of());
    }

    /** Logs the warnings. Called at startup. */
    public void check() {
        warnings().forEach(LOG::warn);
    }

    List<String> warnings() {
        return proxies.stream()
                .map(String::strip)
                .flatMap(proxy -> warning(proxy).stream())
                .toList();
    }

    private static Optional<String> warning(String proxy) {
        if (NetUtil.isValidIpV6Address(proxy) && !proxy.startsWith("[")) {
            return Optional.of(SETTING + " contains the IPv6 address " + proxy + " without brackets: write [" + proxy
                    + "]. Without them, Quarkus takes it for a host name, and does not trust the proxy.");
        }
        var match = PROXY.matcher(proxy);
        String host = !match.matches() ? proxy : match.group(1) == null ? match.group(2) : match.group(1);
        boolean isName = host != null
                && !host.equals("localhost")
                && !NetUtil.isValidIpV4Address(host)
                && !NetUtil.isValidIpV6Address(host);
        return isName
                ? Optional.of(SETTING + " contains the host name " + host
                        + ": each request waits for a DNS query. Set the addresses or networks of the proxies instead.")
                : Optional.empty();
    }
}
