package dev.tidemark.start;

import dev.tidemark.cursor.CursorConfig;
import dev.tidemark.declare.FeedsConfig;
import dev.tidemark.http.access.TokenConfig;
import dev.tidemark.http.browser.BrowserConfig;
import dev.tidemark.http.export.ExportConfig;
import dev.tidemark.http.fresh.FreshConfig;
import dev.tidemark.http.live.LiveConfig;
import dev.tidemark.http.openapi.OpenApiConfig;
import dev.tidemark.http.page.PageConfig;
import dev.tidemark.http.page.SingleFlightConfig;
import dev.tidemark.postgres.changes.ChangesConfig;
import dev.tidemark.postgres.connection.PostgresConfig;
import dev.tidemark.settings.Settings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;

/** The mappings of all settings of the deployed server. */
@Singleton
final class Mappings {

    /** A native image reads the mappings when it is built, so it needs no reflection for them when it runs. */
    static final Settings SETTINGS = new Settings(List.of(
            BrowserConfig.class,
            ChangesConfig.class,
            CursorConfig.class,
            ExportConfig.class,
            FeedsConfig.class,
            FreshConfig.class,
            LiveConfig.class,
            OpenApiConfig.class,
            PageConfig.class,
            PostgresConfig.class,
            SingleFlightConfig.class,
            TokenConfig.class));

    @Produces
    @Singleton
    static Settings settings() {
        return SETTINGS;
    }
}
