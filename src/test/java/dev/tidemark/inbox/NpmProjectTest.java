package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.BesideQuarkusTests;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Runs beside the Quarkus tests, so that {@link NpmPackageTest} does not wait for downloads and the compiler. */
@BesideQuarkusTests
@EnabledIfEnvironmentVariable(named = NpmProject.NPM_VARIABLE, matches = "true")
class NpmProjectTest {

    @Test
    @Timeout(300)
    void programsThatUseTheInstalledPackageCompile() throws IOException, InterruptedException {
        assertThat(NpmProject.install().resolve("compiled")).isDirectoryContaining("glob:**/uses*.js");
    }
}
