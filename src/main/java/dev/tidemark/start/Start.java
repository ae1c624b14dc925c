package dev.tidemark.start;

import dev.tidemark.command.CommandRunner;
import dev.tidemark.declare.FeedRechecker;
import dev.tidemark.declare.FeedRegistry;
import dev.tidemark.http.openapi.CurrentDocument;
import dev.tidemark.postgres.catalogue.PrivilegeCheck;
import dev.tidemark.postgres.startup.DatasourceCheck;
import dev.tidemark.settings.Settings;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.SmallRyeConfig;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.io.IOException;

/** Starts the server, or runs a command instead. The ports are opened afterwards. */
@Singleton
final class Start {

    /** Runs before all other observers of the start, so that a command runs without work in the background. */
    void onStart(
            @Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent start,
            Settings settings,
            SmallRyeConfig config,
            DatasourceCheck datasource,
            PortCheck ports,
            CommandRunner command,
            Instance<JvmOptions> jvmOptions,
            Instance<Preparation> preparations,
            FeedRegistry registry,
            PrivilegeCheck privileges,
            CurrentDocument document,
            FeedRechecker rechecker)
            throws IOException {
        settings.check(config);
        datasource.check();
        ports.check();
        command.run();
        jvmOptions.forEach(JvmOptions::check);
        preparations.forEach(Preparation::prepare);
        privileges.check(registry.feeds().all());
        // Quarkus creates the document's service before the feeds are resolved, so it cannot follow them by itself.
        registry.feeds().follow(document::forget);
        rechecker.start();
    }
}
