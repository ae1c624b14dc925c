package dev.tidemark;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import io.quarkus.runtime.configuration.ConfigUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The dependencies that are allowed between packages. A dependency that is not listed here is forbidden. */
@AnalyzeClasses(packages = "dev.tidemark", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesDependOnlyOnListedPackages = onlyListedDependencies(
            "dev.tidemark.",
            "naming ->",
            "framework ->",
            "settings -> naming",
            "paging ->",
            "feed -> paging",
            "declare -> settings naming feed paging",
            "cursor -> settings feed paging",
            "propose -> settings naming declare feed paging",
            "postgres -> framework settings naming declare propose feed paging",
            "http -> framework settings naming cursor feed paging",
            "inbox -> settings start",
            "command -> settings naming propose declare cursor feed paging",
            "start -> framework settings command declare cursor feed http postgres",
            "local -> start");

    @ArchTest
    static final ArchRule subpackagesOfHttpDependOnlyOnListedSubpackages = onlyListedDependencies(
            "dev.tidemark.http.",
            "json ->",
            "caching ->",
            "health -> problem",
            "problem -> json",
            "access -> problem",
            "connections -> problem",
            "requests -> connections problem",
            "bodies ->",
            "query -> access problem",
            "page -> access caching json problem query",
            "universal -> access page problem query",
            "events -> access bodies connections problem",
            "fresh -> access caching events json page problem query",
            "counts -> access caching events fresh json page problem query",
            "live -> access caching events json page problem query",
            "export -> access bodies caching connections json page problem query",
            "browser -> access json page problem query",
            "openapi -> json page problem query");

    @ArchTest
    static final ArchRule subpackagesOfPostgresDependOnlyOnListedSubpackages = onlyListedDependencies(
            "dev.tidemark.postgres.",
            "rows ->",
            "wire -> rows",
            "sql -> rows",
            "connection -> rows sql wire",
            "hosts -> connection rows",
            "startup -> connection hosts rows sql wire",
            "catalogue -> connection sql startup wire",
            "changes -> catalogue connection");

    /** Put a new class into a subpackage, or add its name here, with a reason in the commit. */
    @ArchTest
    static final ArchRule aPackageWithSubpackagesHoldsOnlyTheClassesNamedHere = classes()
            .that()
            .resideInAnyPackage("dev.tidemark", "dev.tidemark.http", "dev.tidemark.postgres")
            .and()
            .areTopLevelClasses()
            .should()
            .haveNameMatching(
                    "dev\\.tidemark\\.postgres\\."
                            + "(Database|PgFeedReader|FewMatches|PgFeedCounter|PageReceiver|OffsetReceiver|InclusivePageReceiver|package-info)");

    @ArchTest
    static final ArchRule thereAreNoCycles =
            slices().matching("dev.tidemark.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule pagingDependsOnlyOnTheJdk = noClasses()
            .that()
            .resideInAPackage("dev.tidemark.paging..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("java..", "org.jspecify..", "dev.tidemark.paging..");

    @ArchTest
    static final ArchRule onlyPostgresAndTheInboxUseTheDriver = noClasses()
            .that()
            .resideOutsideOfPackages("dev.tidemark.postgres..", "dev.tidemark.inbox..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx.pgclient..", "io.vertx.mutiny.pgclient..");

    @ArchTest
    static final ArchRule onlyThePackageWireDependsOnInternalsOfTheDriver = noClasses()
            .that()
            .resideInAPackage("dev.tidemark.postgres..")
            .and()
            .resideOutsideOfPackage("dev.tidemark.postgres.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.vertx.sqlclient.impl..",
                    "io.vertx.pgclient.impl..",
                    "io.vertx.core.net.impl..",
                    "io.netty.channel..",
                    "io.netty.handler.flush..",
                    "io.netty.handler.codec",
                    "io.netty.buffer..");

    /** The public API of Quarkus in packages whose names say otherwise. */
    private static final Set<String> PUBLIC_API = Set.of(
            "io.quarkus.micrometer.runtime.HttpServerMetricsTagsContributor",
            "io.quarkus.runtime.LaunchMode",
            "io.quarkus.runtime.Quarkus",
            "io.quarkus.runtime.QuarkusBindException",
            "io.quarkus.runtime.ShutdownEvent",
            "io.quarkus.runtime.Startup",
            "io.quarkus.runtime.StartupEvent",
            "io.quarkus.runtime.annotations.CommandLineArguments",
            "io.quarkus.runtime.annotations.QuarkusMain",
            "io.quarkus.runtime.annotations.StaticInitSafe",
            "io.quarkus.runtime.configuration.ConfigUtils",
            "io.quarkus.runtime.configuration.ConfigurationException",
            "io.quarkus.runtime.configuration.DurationConverter",
            "io.quarkus.runtime.configuration.MemorySize",
            "io.quarkus.runtime.configuration.MemorySizeConverter",
            "io.quarkus.runtime.util.ExceptionUtil",
            "io.quarkus.vertx.http.runtime.filters.Filters");

    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+)");
    private static final Pattern INTERNAL = Pattern.compile("(?!java\\.)[a-z0-9_.]+\\.(impl|internal|runtime)\\..*");

    private static boolean isInternal(String type) {
        return INTERNAL.matcher(type).matches()
                && PUBLIC_API.stream().noneMatch(name -> type.equals(name) || type.startsWith(name + '$'));
    }

    /** An upgrade needs a look at these two packages only; see the contributing guide. */
    @ArchTest
    static final ArchRule onlyFrameworkAndWireUseInternalsOfLibraries = noClasses()
            .that()
            .resideOutsideOfPackages("dev.tidemark.framework..", "dev.tidemark.postgres.wire..")
            .should()
            .dependOnClassesThat(describe("are internal", target -> isInternal(target.getName())));

    @ArchTest
    static void sourcesOfOtherBuildsUseNoInternalsOfLibraries(JavaClasses server) throws IOException {
        for (String directory : List.of("src/client", "src/gatling", "src/jmh", "src/bench")) {
            try (Stream<Path> files = Files.walk(Path.of(directory))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    assertThat(IMPORT.matcher(Files.readString(file)).results().map(found -> found.group(1)))
                            .as(file.toString())
                            .noneMatch(ArchitectureTest::isInternal);
                }
            }
        }
    }

    /**
     * A native executable contains no files of {@code META-INF/services}, so nothing can be discovered by them. The
     * package {@code local} is not part of it.
     */
    @ArchTest
    static final ArchRule nothingIsDiscoveredByServices = noClasses()
            .that()
            .resideOutsideOfPackage("dev.tidemark.local..")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(ServiceLoader.class)
            .orShould()
            .callMethodWhere(describe(
                    "discover services",
                    call -> call.getName().startsWith("addDiscovered")
                            || call.getTargetOwner().isEquivalentTo(ConfigUtils.class)
                                    && call.getName().endsWith("onfigBuilder")));

    /** @param lines such as {@code "feed -> paging"}: a package, and all the packages that it may depend on */
    private static ArchRule onlyListedDependencies(String parent, String... lines) {
        LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String line : lines) {
            layers = layers.layer(source(line)).definedBy(parent + source(line) + "..");
        }
        for (String line : lines) {
            String[] targets = line.replaceFirst(".*->\\s*", "").split(" ");
            layers = targets[0].isEmpty()
                    ? layers.whereLayer(source(line)).mayNotAccessAnyLayer()
                    : layers.whereLayer(source(line)).mayOnlyAccessLayers(targets);
        }
        return layers;
    }

    private static String source(String line) {
        return line.substring(0, line.indexOf(' '));
    }
}
