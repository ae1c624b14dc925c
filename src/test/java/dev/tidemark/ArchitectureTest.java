package dev.tidemark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;

/** The dependencies that are allowed between packages. A dependency that is not listed here is forbidden. */
@AnalyzeClasses(packages = "dev.tidemark", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesDependOnlyOnListedPackages = onlyListedDependencies(
            "dev.tidemark.",
            "naming ->",
            "settings -> naming",
            "paging ->",
            "feed -> naming paging",
            "declare -> settings naming feed paging",
            "cursor -> settings feed paging",
            "propose -> naming declare feed paging",
            "postgres -> settings naming declare propose feed paging",
            "http -> settings naming cursor feed paging",
            "inbox -> settings start",
            "command -> settings naming propose declare cursor feed paging",
            "start -> settings command declare cursor feed http postgres",
            "local -> start");

    @ArchTest
    static final ArchRule subpackagesOfHttpDependOnlyOnListedSubpackages = onlyListedDependencies(
            "dev.tidemark.http.",
            "json ->",
            "caching ->",
            "health -> problem",
            "problem -> json",
            "access -> problem",
            "edge -> problem",
            "query -> access problem",
            "page -> access caching json problem query",
            "universal -> access page problem query",
            "events -> edge problem",
            "fresh -> access caching edge events json page problem query",
            "live -> access caching edge events json page problem query",
            "export -> access caching edge json page problem query",
            "browser -> access json page problem query",
            "openapi -> caching export json live page problem query");

    @ArchTest
    static final ArchRule subpackagesOfPostgresDependOnlyOnListedSubpackages = onlyListedDependencies(
            "dev.tidemark.postgres.",
            "rows ->",
            "hosts ->",
            "wire -> rows",
            "sql -> rows",
            "connection -> hosts rows sql wire",
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
            .haveNameMatching("dev\\.tidemark\\.postgres\\."
                    + "(PgFeedReader|PgFeedCounter|PageCollector|OffsetCollector|InclusivePageCollector|package-info)");

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

    /** @param lines such as {@code "feed -> naming paging"}: a package, and all the packages that it may depend on */
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
