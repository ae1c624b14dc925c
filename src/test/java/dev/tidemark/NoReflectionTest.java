package dev.tidemark;

import static dev.tidemark.DeployedClasses.DEPLOYED;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import dev.tidemark.settings.Settings;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A native executable finds classes, methods and resources by name only if they are registered. With the exceptions
 * that the tests list, our code looks nothing up by name. {@link NativeSourcesCheck} checks what the framework looks
 * up.
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
     * There are two exceptions: {@code application.yaml} registers the feed browser's files for native executables,
     * and {@code Settings} reads the mappings in a static initializer, while the executable is built.
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

    private static List<String> lookupsByName(JavaCodeUnit unit) {
        return unit.getCallsFromSelf().stream()
                .filter(call -> looksUpByName(call.getTarget()))
                .map(call -> unit.getFullName() + " -> " + call.getTarget().getFullName())
                .toList();
    }
}
