package dev.tidemark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;

/** The classes of the server, as ArchUnit sees them. They are imported once, because that takes seconds. */
public final class DeployedClasses {

    public static final JavaClasses WITH_THE_INBOX =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages("dev.tidemark");

    static final JavaClasses DEPLOYED =
            WITH_THE_INBOX.that(resideOutsideOfPackages("dev.tidemark.inbox..", "dev.tidemark.local.."));

    private DeployedClasses() {}
}
