package dev.tidemark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package may look into which. An arrow that is missing here is forbidden. */
@AnalyzeClasses(packages = "dev.tidemark", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesLookOnlyWhereTheyMay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("paging")
            .definedBy("dev.tidemark.paging..")
            .layer("feed")
            .definedBy("dev.tidemark.feed..")
            .layer("declare")
            .definedBy("dev.tidemark.declare..")
            .layer("cursor")
            .definedBy("dev.tidemark.cursor..")
            .layer("postgres")
            .definedBy("dev.tidemark.postgres..")
            .layer("http")
            .definedBy("dev.tidemark.http..")
            .layer("inbox")
            .definedBy("dev.tidemark.inbox..")
            .layer("local")
            .definedBy("dev.tidemark.local..")
            .whereLayer("paging")
            .mayNotAccessAnyLayer()
            .whereLayer("feed")
            .mayOnlyAccessLayers("paging")
            .whereLayer("declare")
            .mayOnlyAccessLayers("feed", "paging")
            .whereLayer("cursor")
            .mayOnlyAccessLayers("feed", "paging")
            .whereLayer("postgres")
            .mayOnlyAccessLayers("feed", "paging", "declare")
            .whereLayer("http")
            .mayOnlyAccessLayers("cursor", "feed", "paging")
            .whereLayer("inbox")
            .mayNotAccessAnyLayer()
            .whereLayer("local")
            .mayNotAccessAnyLayer();

    @ArchTest
    static final ArchRule thereAreNoCycles =
            slices().matching("dev.tidemark.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theLanguageOfPagesIsTheJdkAlone = noClasses()
            .that()
            .resideInAPackage("dev.tidemark.paging..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("java..", "dev.tidemark.paging..");

    @ArchTest
    static final ArchRule onlyThePostgresRoomAndTheTryItRunKnowTheDriver = noClasses()
            .that()
            .resideOutsideOfPackages("dev.tidemark.postgres..", "dev.tidemark.inbox..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx.pgclient..", "io.vertx.mutiny.pgclient..");
}
