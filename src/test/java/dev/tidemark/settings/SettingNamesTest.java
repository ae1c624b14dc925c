package dev.tidemark.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import dev.tidemark.BesideQuarkusTests;
import dev.tidemark.DeployedClasses;
import io.smallrye.config.ConfigMapping;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@BesideQuarkusTests
class SettingNamesTest {

    @Test
    void everySettingIsKnown() {
        Set<String> declared = DeployedClasses.WITH_THE_INBOX.stream()
                .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                .filter(type -> !type.getPackageName().endsWith("inbox"))
                .flatMap(type -> type.getMethods().stream().map(method -> variable(type, method)))
                .filter(name -> !name.equals("TIDEMARK_FEEDS"))
                .collect(Collectors.toSet());

        assertThat(SettingNames.KNOWN_VARIABLES).containsExactlyInAnyOrderElementsOf(declared);
    }

    private static String variable(JavaClass mapping, JavaMethod method) {
        String property = mapping.getAnnotationOfType(ConfigMapping.class).prefix()
                + '.'
                + method.getName().replaceAll("([A-Z])", "-$1");
        return property.replaceAll("[.-]", "_").toUpperCase();
    }

    @Test
    void anUnknownVariableIsAFaultWithTheNearestName() {
        assertThat(SettingNames.faults(List.of("TIDEMARK_CURSOR_KEY", "PATH")))
                .containsExactly("there is no setting TIDEMARK_CURSOR_KEY; the nearest name is TIDEMARK_CURSOR_KEYS");
    }

    @Test
    void variablesOfFeedsAndOfKubernetesAreAccepted() {
        assertThat(SettingNames.faults(List.of(
                        "TIDEMARK_FEEDS_ORDERS_TABLE",
                        "TIDEMARK_CURSOR_KEYS_0_",
                        "TIDEMARK_SERVICE_HOST",
                        "TIDEMARK_SERVICE_PORT_HTTP",
                        "TIDEMARK_PORT",
                        "TIDEMARK_PORT_8080_TCP_ADDR",
                        "TIDEMARK_INBOX_TRAFFIC",
                        "TIDEMARK_TEST_GUIDES")))
                .isEmpty();
    }
}
