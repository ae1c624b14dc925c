package dev.tidemark.start;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaMethod;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.DeployedClasses;
import dev.tidemark.declare.FeedsConfig;
import dev.tidemark.postgres.connection.PostgresConfig;
import dev.tidemark.settings.Bounds;
import dev.tidemark.settings.Settings;
import dev.tidemark.settings.UnmappedFeeds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import io.smallrye.config.common.utils.StringUtil;
import io.smallrye.config.source.yaml.YamlConfigSource;
import jakarta.validation.Constraint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@BesideQuarkusTests
class SettingsTest {

    private static final Settings SETTINGS = Mappings.SETTINGS;

    @ConfigMapping(prefix = "framework")
    interface FrameworkConfig {
        @WithDefault("8080")
        int port();
    }

    @TempDir
    Path directory;

    private static Stream<JavaMethod> settings() {
        return DeployedClasses.WITH_THE_INBOX.stream()
                .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                .filter(type -> !type.getPackageName().endsWith("inbox"))
                .flatMap(type -> type.getMethods().stream());
    }

    private static String property(JavaMethod method) {
        return method.getOwner().getAnnotationOfType(ConfigMapping.class).prefix()
                + '.'
                + method.tryGetAnnotationOfType(WithName.class)
                        .map(WithName::value)
                        .orElseGet(() -> StringUtil.skewer(method.getName()));
    }

    @Test
    void everyMappingIsListed() {
        assertThat(SETTINGS.unknownVariables(settings()
                        .map(method -> property(method).replaceAll("[.-]", "_").toUpperCase(Locale.ROOT))
                        .toList()))
                .isEmpty();
    }

    @Test
    void boundsAndDefaultsAreAccepted() {
        assertThat(settings().flatMap(method -> Stream.concat(
                                method.tryGetAnnotationOfType(WithDefault.class).map(WithDefault::value).stream(),
                                method.tryGetAnnotationOfType(Bounds.class).stream()
                                        .flatMap(bounds -> Stream.of(bounds.min(), bounds.max())))
                        .filter(value -> !value.isEmpty())
                        .flatMap(value -> faults(config(Map.of(property(method), value))).stream())))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fresh.heartbeat          | PT1H0.001S | from 10ms to 1h
            statement-timeout        | PT0.009S   | from 10ms to 1h
            export.max-streams       | 10001      | from 0 to 10000
            cursor.lifetime          | 9s         | 10s or more
            start-timeout            | PT-1S      | 0s or more
            free-connections         | 0          | 1 or more
            live.max-streams         | -1         | from 0 to 1000000
            max-page-bytes           | 63K        | from 64K to 1G
            require-indexes          | ture       | true or false
            start-timeout            | soon       | a duration, such as 500ms, 5s, or 1h
            free-connections         | 4 + 1      | a whole number
            max-page-bytes           | 16MB       | a number of bytes, such as 64K or 16M
            """)
    void aWrongValueIsDescribedWithWhatIsExpected(String setting, String value, String expected) {
        assertThat(faults(config(Map.of("tidemark." + setting, value))))
                .containsExactly("tidemark." + setting + " is \"" + value + "\", but must be " + expected);
    }

    @Test
    void wordsForTrueAndFalseAreAccepted() {
        assertThat(faults(config(Map.of("tidemark.pipelined", "Off", "tidemark.require-indexes", "1"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            free-connections: ""     | tidemark.free-connections (s.yaml:2) is empty; give it a value, or remove it
            search-path: "${NO_SUCH}" | tidemark.search-path (s.yaml:2) refers to ${NO_SUCH}, but there is no environment variable or property with this name
            """)
    void aWrongValueInAFileIsDescribedWithItsLine(String setting, String fault) throws IOException {
        assertThat(faults(config(write(setting)))).containsExactly(fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            start-timout: 5s         | there is no setting tidemark.start-timout (s.yaml:2); the nearest name is start-timeout
            feedz: {a: {table: b}}   | there is no setting tidemark.feedz (s.yaml:2); the nearest name is feeds
            fresh.heartbeat: 1s      | there is no setting tidemark."fresh.heartbeat"; the nearest name is fresh.heartbeat
            cursor: {key: a}         | there is no setting tidemark.cursor.key (s.yaml:2); the nearest name is cursor.keys
            """)
    void anUnknownSettingInAFileIsDescribedWithItsLine(String setting, String fault) throws IOException {
        Path file = write(setting);
        Throwable rejection = catchThrowable(
                () -> builder(file).withMapping(FeedsConfig.class).build());
        SmallRyeConfig readable = config(file);
        assertThat(SETTINGS.describe(rejection, () -> readable)).containsExactly(fault);
    }

    @Test
    void settingsOfEveryFormAreAccepted() throws IOException {
        SmallRyeConfig config = config(write("""
                feeds:
                  start-timeout: ""
                  cursor: {keys: [a, b], lifetime: 30d}
                  fresh: {heartbeat: 1s}
                  inbox: {rows: 3}
                  search-path: "${NO_SUCH:public}"
                """));
        assertThat(faults(config)).isEmpty();
        assertThat(SETTINGS.describe(new IllegalStateException("SRCFG00000: another"), () -> config))
                .containsExactly("the configuration: SRCFG00000: another");
    }

    @Test
    void theFrameworksMessagesAreUsedOnlyForItsOwnSettings() throws IOException {
        Path file = write("start-timeout: soon\n  start-timout: 1s\n  free-connections: many\n  recheck-interval: -1s\n"
                + "framework: {port: many}");
        Throwable failure = catchThrowable(() -> builder(file)
                .withMapping(FeedsConfig.class)
                .withMapping(PostgresConfig.class)
                .withMapping(FrameworkConfig.class)
                .build());
        SmallRyeConfig readable = config(file);
        List<String> described = SETTINGS.describe(new RuntimeException("Failed to start", failure), () -> readable);
        assertThat(described)
                .hasSize(5)
                .contains(
                        "there is no setting tidemark.start-timout (s.yaml:3); the nearest name is start-timeout",
                        "tidemark.free-connections (s.yaml:4) is \"many\", but must be a whole number",
                        "tidemark.recheck-interval (s.yaml:5) is \"-1s\", but must be 0s or more",
                        "tidemark.start-timeout (s.yaml:2) is \"soon\", but must be a duration, such as 500ms, 5s, or 1h")
                .last()
                .asString()
                .startsWith("framework.port (s.yaml:6): SRCFG")
                .contains("many");
    }

    @Test
    void anotherFailureIsNotDescribed() {
        assertThat(SETTINGS.describe(new IllegalStateException("another"), () -> config(Map.of())))
                .isEmpty();
    }

    @Test
    void anUnknownVariableIsAFaultWithTheNearestName() {
        assertThat(SETTINGS.unknownVariables(List.of("TIDEMARK_CURSOR_KEY", "PATH")))
                .containsExactly("there is no setting TIDEMARK_CURSOR_KEY; the nearest name is TIDEMARK_CURSOR_KEYS");
    }

    @Test
    void aVariableThatDeclaresAPropertyOfAFeedIsAFault() {
        assertThat(SETTINGS.unknownVariables(List.of("TIDEMARK_FEEDS_ORDERS_TABLE")))
                .containsExactly(
                        "TIDEMARK_FEEDS_ORDERS_TABLE is not read: declare feeds in a YAML file, or in TIDEMARK_FEEDS");
    }

    @Test
    void aPropertyThatDeclaresAFeedOutsideOfYamlIsAFault() {
        assertThat(faults(config(Map.of("tidemark.feeds.orders.table", "orders", "tidemark.feeds", "{}"))))
                .containsExactly(
                        "tidemark.feeds.orders.table is not read: declare feeds in a YAML file, or in TIDEMARK_FEEDS");
    }

    @Test
    void variablesOfKubernetesAreAccepted() {
        assertThat(SETTINGS.unknownVariables(List.of(
                        "TIDEMARK_FEEDS",
                        "TIDEMARK_CURSOR_KEYS_0_",
                        "TIDEMARK_SERVICE_HOST",
                        "TIDEMARK_SERVICE_PORT_HTTP",
                        "TIDEMARK_PORT",
                        "TIDEMARK_PORT_8080_TCP_ADDR",
                        "TIDEMARK_INBOX_TRAFFIC",
                        "TIDEMARK_TEST_GUIDES")))
                .isEmpty();
    }

    @Test
    void noSettingHasAConstraintOfBeanValidation() {
        methods()
                .that()
                .areDeclaredInClassesThat()
                .areAnnotatedWith(ConfigMapping.class)
                .should()
                .notBeAnnotatedWith(DescribedPredicate.<JavaAnnotation<?>>describe(
                        "constraints", annotation -> annotation.getRawType().isAnnotatedWith(Constraint.class)))
                .because(
                        "with one of these, Quarkus validates the settings of all extensions, which takes up to a third"
                                + " of the startup time")
                .check(DeployedClasses.WITH_THE_INBOX);
    }

    /** The faults with which the start would fail. */
    private static List<String> faults(SmallRyeConfig config) {
        Throwable fault = catchThrowable(() -> SETTINGS.check(config));
        return fault == null
                ? List.of()
                : fault.getMessage()
                        .lines()
                        .map(line -> line.substring("Tidemark cannot start: ".length()))
                        .toList();
    }

    private Path write(String setting) throws IOException {
        return Files.writeString(directory.resolve("s.yaml"), "tidemark:\n  " + setting + "\n");
    }

    private static SmallRyeConfig config(Path file) throws IOException {
        return builder(file).build();
    }

    private static SmallRyeConfigBuilder builder(Path file) throws IOException {
        return builder(Map.of("quarkus.config.locations", file.toString()))
                .withSources(new YamlConfigSource(file.toUri().toURL()));
    }

    private static SmallRyeConfig config(Map<String, String> settings) {
        return builder(settings).build();
    }

    private static SmallRyeConfigBuilder builder(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withCustomizers(new UnmappedFeeds())
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withSources(new PropertiesConfigSource(settings, "test", 100));
    }
}
