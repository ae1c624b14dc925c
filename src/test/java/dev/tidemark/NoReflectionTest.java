package dev.tidemark;

import static dev.tidemark.DeployedClasses.DEPLOYED;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.crypto.tink.DeterministicAead;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tidemark.settings.Settings;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A native executable finds classes, methods and resources by name only if they are registered. With the exceptions
 * that the tests list, the deployed code looks nothing up by name: neither our own code, nor the code of Tink that it
 * calls. {@link NativeSourcesCheck} checks what the framework looks up.
 */
@BesideQuarkusTests
class NoReflectionTest {

    /**
     * Whether a method looks something up by name, or uses the result of such a lookup, such as a {@code
     * java.lang.reflect.Method}.
     */
    private static boolean looksUpByName(CodeUnitCallTarget target) {
        String type = target.getOwner().getName();
        String name = target.getName();
        return switch (type) {
            case "java.lang.Class" ->
                name.equals("forName")
                        || name.startsWith("getResource")
                        || name.matches("get(Declared)?(Method|Field|Constructor|RecordComponent|Class|Record)s?")
                        || name.equals("newInstance");
            case "java.lang.ClassLoader" -> name.equals("loadClass") || name.contains("esource");
            case "java.lang.reflect.Proxy" -> name.equals("newProxyInstance");
            case "java.lang.reflect.Method", "java.lang.reflect.Field", "java.lang.reflect.Constructor" -> true;
            case "java.lang.invoke.MethodHandles$Lookup" -> name.startsWith("find") || name.startsWith("unreflect");
            case "java.util.ServiceLoader", "java.util.ResourceBundle" -> true;
            case "java.nio.charset.Charset" -> name.equals("forName");
            case "java.io.ObjectInputStream", "java.io.ObjectOutputStream" -> true;
            default -> type.startsWith("java.util.concurrent.atomic.Atomic") && type.endsWith("FieldUpdater");
        };
    }

    /**
     * There are two exceptions: {@code application.yaml} registers the feed browser's files for native executables, and
     * {@code Settings} reads the mappings in a static initializer, while the executable is built.
     */
    @Test
    void ourCodeLooksNothingUpByName() {
        Set<String> found = new TreeSet<>();
        DEPLOYED.stream()
                .filter(type -> !type.isEquivalentTo(Settings.class)
                        && !type.getSimpleName().equals("Setting"))
                .forEach(type -> type.getCodeUnits().forEach(unit -> found.addAll(lookupsByName(unit))));
        assertThat(found).singleElement().asString().startsWith("dev.tidemark.http.browser.BrowserPages.sendFile(");
    }

    /**
     * Jackson would read the members of an object by reflection. Pages, problems and documents are written with its
     * generator instead.
     */
    @Test
    void noObjectIsSerializedByReflection() {
        assertThat(DEPLOYED.stream().flatMap(type -> type.getDirectDependenciesFromSelf().stream()))
                .noneMatch(dependency -> dependency.getTargetClass().getName().endsWith("ObjectMapper")
                        || dependency.getTargetClass().getName().endsWith("ObjectWriter"));
        assertThat(DEPLOYED.stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> Stream.of(GET.class, POST.class, PUT.class, PATCH.class, DELETE.class)
                                .anyMatch(method::isAnnotatedWith))
                        .map(method -> method.reflect().getGenericReturnType().getTypeName()))
                .isNotEmpty()
                // A StreamedBody is named Object, see NativeImageRulesTest.
                .allMatch(type -> type.matches(".*RestResponse<(byte\\[]|java\\.lang\\.Object)>+"));
    }

    /**
     * The code of Tink that sealing calls, including static initializers and the methods of all objects that it
     * creates.
     */
    @Test
    void theTinkCodeThatSealingCallsLooksNothingUpByName() {
        JavaClasses tink = new ClassFileImporter().importPackages(DeterministicAead.class.getPackageName());
        Set<JavaCodeUnit> reached = Set.of();
        for (int before = -1; before < reached.size(); ) {
            before = reached.size();
            reached = reachableFrom(tink, classesCreatedIn(reached));
        }
        assertThat(reached.stream().map(unit -> unit.getOwner().getName()))
                .contains("com.google.crypto.tink.subtle.AesSiv")
                .noneMatch(name -> name.contains("proto") || name.endsWith("Registry"));
        // Tink looks up an optional cryptography provider, which the class path does not contain, and the charset
        // UTF-8.
        assertThat(reached.stream()
                        .filter(unit -> !lookupsByName(unit).isEmpty())
                        .map(JavaCodeUnit::getFullName))
                .containsExactlyInAnyOrder(
                        "com.google.crypto.tink.config.internal.TinkFipsUtil.checkConscryptIsAvailableAndUsesFipsBoringSsl()",
                        "com.google.crypto.tink.internal.Util.<clinit>()");
    }

    /** @param createdClasses the classes of created objects, whose methods can override those of their supertypes */
    private static Set<JavaCodeUnit> reachableFrom(JavaClasses library, Set<JavaClass> createdClasses) {
        Set<JavaCodeUnit> reached = new HashSet<>();
        Deque<JavaCodeUnit> open = new ArrayDeque<>();
        DEPLOYED.forEach(type -> open.addAll(type.getCodeUnits()));
        while (!open.isEmpty()) {
            open.remove().getAccessesFromSelf().stream()
                    .filter(access -> library.contain(access.getTargetOwner().getName()))
                    .flatMap(access -> possibleTargets(
                            access, library.get(access.getTargetOwner().getName()), createdClasses))
                    .filter(reached::add)
                    .forEach(open::add);
        }
        return reached;
    }

    private static Stream<JavaCodeUnit> possibleTargets(
            JavaAccess<?> access, JavaClass type, Set<JavaClass> createdClasses) {
        String name = access.getTarget().getName();
        return Stream.of(
                        Stream.of(type),
                        type.getAllRawSuperclasses().stream(),
                        type.getAllSubclasses().stream().filter(createdClasses::contains))
                .flatMap(types -> types)
                .flatMap(each -> each.getCodeUnits().stream())
                .filter(unit -> unit.getName().equals(name) || unit.getName().equals("<clinit>"));
    }

    private static Set<JavaClass> classesCreatedIn(Set<JavaCodeUnit> reached) {
        return reached.stream()
                .filter(unit -> unit.getName().equals("<init>"))
                .map(JavaCodeUnit::getOwner)
                .collect(Collectors.toSet());
    }

    private static List<String> lookupsByName(JavaCodeUnit unit) {
        return unit.getCallsFromSelf().stream()
                .filter(call -> looksUpByName(call.getTarget()))
                .map(call -> unit.getFullName() + " -> " + call.getTarget().getFullName())
                .toList();
    }
}
