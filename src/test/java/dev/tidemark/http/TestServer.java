package dev.tidemark.http;

import java.net.URI;
import org.eclipse.microprofile.config.ConfigProvider;

/** The address of the server under test, for clients other than REST Assured, which knows it. */
public final class TestServer {

    private TestServer() {}

    public static int port() {
        return ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
    }

    /** @param target a path with its query, such as {@code /api/letters?limit=1} */
    public static URI url(String target) {
        return URI.create("http://localhost:" + port() + target);
    }
}
