package dev.tidemark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.SmallRyeConfigBuilderCustomizer;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Singleton;
import jakarta.validation.Constraint;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.ext.Provider;
import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.spi.Converter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The input for GraalVM that {@code ./mvnw verify -Pnative-sources} writes. Everything that the framework creates or
 * inspects by name must be registered there, because an executable finds nothing else by name.
 * {@link NoReflectionTest} checks that our own code looks nothing up by name.
 */
class NativeSourcesCheck {

    private static final java.nio.file.Path SOURCES = java.nio.file.Path.of("target", "native-sources");

    /**
     * Types that GraalVM rejects in the heap of an executable. Netty's empty buffer is allowed, because Netty creates
     * it again at run time.
     */
    private static final Pattern REJECTED_TYPES = Pattern.compile("io\\.netty\\.buffer\\.(?!Empty)\\w*ByteBuf"
            + "|io\\.vertx\\.core\\.buffer\\.impl\\.(\\w*ByteBuf|BufferImpl)"
            + "|java\\.util\\.(Random|SplittableRandom|TimerThread)"
            + "|java\\.security\\.SecureRandom"
            + "|java\\.net\\.\\w*Socket"
            + "|sun\\.nio\\.ch\\.\\w*ChannelImpl");

    private static final Set<String> REGISTERED = new TreeSet<>();

    /**
     * Libraries whose registered classes are checked one by one. If a resource's signature leads to them, Quarkus
     * registers hundreds of their classes, and the native build ends at optional classes that are missing.
     */
    private static final Pattern CHECKED_LIBRARIES = Pattern.compile("(io\\.netty|io\\.vertx|org\\.bouncycastle)\\..+");

    private static final Map<String, String> ALLOWED_OF_LIBRARIES = Map.of(
            "io.netty.channel.socket.nio.NioDatagramChannel", "quarkus-netty: Netty creates channels by their class",
            "io.netty.channel.socket.nio.NioServerSocketChannel", "the same",
            "io.netty.channel.socket.nio.NioSocketChannel", "the same",
            "io.vertx.core.http.ClientAuth", "an enum of Quarkus' settings",
            "io.vertx.core.http.CookieSameSite", "the same",
            "io.vertx.pgclient.SslMode", "the same",
            "io.vertx.pgclient.spi.PgDriver", "a service provider of the driver");
    private static final JavaClasses DEPLOYED = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("dev.tidemark")
            .that(resideOutsideOfPackages("dev.tidemark.inbox..", "dev.tidemark.local.."));

    @BeforeAll
    static void readRegisteredClasses() throws IOException {
        try (JarFile jar = new JarFile(runner().toFile())) {
            var config = jar.getEntry("META-INF/native-image/reflect-config.json");
            for (JsonNode type : new ObjectMapper().readTree(jar.getInputStream(config))) {
                REGISTERED.add(type.get("name").asText());
            }
        }
    }

    @Test
    void classesThatTheFrameworkCreatesOrInspectsAreRegistered() {
        assertThat(classNamesWith(ConfigMapping.class))
                .isNotEmpty()
                .allMatch(name -> REGISTERED.contains(name + "$$CMImpl"));
        assertThat(classNamesWith(Path.class)).isNotEmpty().isSubsetOf(REGISTERED);
        assertThat(classNamesWith(Provider.class)).isNotEmpty().isSubsetOf(REGISTERED);
    }

    @Test
    void noOtherClassOfTheHttpAndDatabaseLibrariesIsRegistered() {
        assertThat(REGISTERED.stream().filter(CHECKED_LIBRARIES.asMatchPredicate()))
                .isSubsetOf(ALLOWED_OF_LIBRARIES.keySet());
    }

    @Test
    void noOtherClassOfOursIsRegistered() {
        assertThat(REGISTERED.stream().filter(name -> name.startsWith("dev.tidemark.")))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(reasonToRegister(name)).as(name).isNotEmpty());
    }

    /** Constraints that are repeated are in a container, such as {@code Min.List}. */
    private static boolean isConstraint(JavaClass annotation) {
        return annotation.isAnnotatedWith(Constraint.class)
                || annotation
                        .getEnclosingClass()
                        .map(NativeSourcesCheck::isConstraint)
                        .orElse(false);
    }

    /** Why the framework needs a class of ours by name: empty if there is no known reason. */
    private static Optional<String> reasonToRegister(String name) {
        if (name.endsWith("$$CMImpl")) {
            return Optional.of("a mapping of settings, which SmallRye creates");
        }
        if (name.contains("$ExceptionMapper$")) {
            return Optional.of("a mapper of failures, which Quarkus generates and creates");
        }
        JavaClass type = DEPLOYED.get(name);
        if (type.isAssignableTo(Converter.class)) {
            return Optional.of("a converter of settings, which SmallRye creates");
        }
        if (type.isAssignableTo(SmallRyeConfigBuilderCustomizer.class)
                || type.isAssignableTo(ConfigSourceInterceptor.class)) {
            return Optional.of("a service provider for SmallRye");
        }
        if (type.getFields().stream()
                .flatMap(field -> field.getAnnotations().stream())
                .anyMatch(annotation -> isConstraint(annotation.getRawType()))) {
            return Optional.of("Hibernate Validator reads its components");
        }
        return Stream.of(Path.class, Provider.class, Singleton.class, Dependent.class)
                .filter(type::isAnnotatedWith)
                .map(annotation -> "it has @" + annotation.getSimpleName())
                .findFirst();
    }

    @Test
    void ourServiceProvidersAreRegistered() throws IOException {
        var services = java.nio.file.Path.of("src", "main", "resources", "META-INF", "services");
        try (Stream<java.nio.file.Path> files = Files.list(services)) {
            for (java.nio.file.Path file : files.toList()) {
                assertThat(Files.readAllLines(file))
                        .as(file.toString())
                        .isNotEmpty()
                        .isSubsetOf(REGISTERED);
            }
        }
    }

    @Test
    void noClassOfTheTryItRunIsIncluded() throws IOException {
        try (Stream<java.nio.file.Path> libraries = Files.list(SOURCES.resolve("lib"));
                JarFile jar = new JarFile(runner().toFile())) {
            assertThat(libraries.map(file -> file.getFileName().toString()))
                    .isNotEmpty()
                    .noneMatch(name -> name.contains("zonky") || name.contains("org.postgresql"));
            assertThat(jar.stream().map(Object::toString))
                    .anyMatch(name -> name.startsWith("dev/tidemark/feed/"))
                    .noneMatch(name -> name.matches("dev/tidemark/(inbox|local)/.+|.*try-it.*"));
        }
    }

    /**
     * Initializes, in a separate JVM, the classes that the native build initializes. {@link NativeImageRulesTest}
     * checks the code of these classes.
     */
    @Test
    void noObjectThatABuildRejectsIsCreatedBeforeTheStart() throws IOException {
        String classPath = runner() + File.pathSeparator + SOURCES.resolve("lib") + "/*" + File.pathSeparator
                + java.nio.file.Path.of("target", "test-classes");
        Process build = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                        "-classpath",
                        classPath,
                        BuildTimeHeap.class.getName(),
                        runner().toString())
                .redirectErrorStream(true)
                .start();
        // The columns of a line: its number, the number of instances, their bytes, their class, and sometimes the
        // module.
        List<String> made = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.trim().split("\\s+"))
                .filter(columns -> columns.length >= 4)
                .map(columns -> columns[3])
                .toList();
        assertThat(made)
                .as("a bean of the framework's application, and an object of a static field of ours")
                .anyMatch(name -> name.endsWith(".FeedResource_Bean"))
                .anyMatch(name -> name.endsWith(".ProblemCode"));
        assertThat(made.stream().filter(REJECTED_TYPES.asMatchPredicate())).isEmpty();
    }

    private static List<String> classNamesWith(Class<? extends Annotation> annotation) {
        return DEPLOYED.stream()
                .filter(type -> type.isAnnotatedWith(annotation))
                .map(JavaClass::getName)
                .toList();
    }

    private static java.nio.file.Path runner() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(SOURCES)) {
            return files.filter(file -> file.toString().endsWith("-runner.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
