package dev.tidemark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;

/** The deployed classes, as ArchUnit sees them. They are imported once, because that takes seconds. */
final class DeployedClasses {

    static final JavaClasses DEPLOYED = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("dev.tidemark")
            .that(resideOutsideOfPackages("dev.tidemark.inbox..", "dev.tidemark.local.."));

    private DeployedClasses() {}
}
