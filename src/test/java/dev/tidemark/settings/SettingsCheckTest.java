package dev.tidemark.settings;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import dev.tidemark.DeployedClasses;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.common.utils.StringUtil;
import jakarta.validation.Constraint;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;

class SettingsCheckTest {

    @Test
    void valuesAtTheBoundsAreAccepted() {
        assertThat(SettingsCheck.faults(config(Map.of(
                        "tidemark.fresh.heartbeat", "PT1H",
                        "tidemark.fresh.max-streams", "0",
                        "tidemark.live.heartbeat", "PT0.01S",
                        "tidemark.live.max-windows", "1000000",
                        "tidemark.max-page-bytes", "1G",
                        "tidemark.cursor.lifetime", "PT10S"))))
                .isEmpty();
    }

    @Test
    void valuesBeyondABoundAreReportedWithTheSettingTheValueAndTheBounds() {
        assertThat(SettingsCheck.faults(config(Map.of(
                        "tidemark.fresh.heartbeat", "PT9.999S",
                        "tidemark.statement-timeout", "PT0.009S",
                        "tidemark.export.max-streams", "10001",
                        "tidemark.cursor.lifetime", "PT9S",
                        "tidemark.start-timeout", "PT-1S",
                        "tidemark.free-connections", "0",
                        "tidemark.live.max-streams", "-1",
                        "tidemark.max-page-bytes", "63K",
                        "tidemark.feeds-reload", "ture",
                        "tidemark.pipelined", "Off"))))
                .extracting(fault -> fault.setting() + " " + fault.message())
                .containsExactlyInAnyOrder(
                        "tidemark.statement-timeout is \"PT0.009S\", but must be from 10ms to 1h",
                        "tidemark.export.max-streams is \"10001\", but must be from 0 to 10000",
                        "tidemark.cursor.lifetime is \"PT9S\", but must be 10s or more",
                        "tidemark.live.max-streams is \"-1\", but must be from 0 to 1000000",
                        "tidemark.max-page-bytes is \"63K\", but must be from 64K to 1G",
                        "tidemark.start-timeout is \"PT-1S\", but must be 0s or more",
                        "tidemark.free-connections is \"0\", but must be 1 or more",
                        "tidemark.feeds-reload is \"ture\", but must be true or false");
    }

    @Test
    void settingsThatAreNotSetHaveNoFaults() {
        assertThat(SettingsCheck.faults(config(Map.of()))).isEmpty();
    }

    @Test
    void everyBooleanPropertyOfAMappingIsABooleanSetting() {
        assertThat(DeployedClasses.WITH_THE_INBOX.stream()
                        .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.getRawReturnType().isEquivalentTo(boolean.class))
                        .map(method -> method.getOwner()
                                        .getAnnotationOfType(ConfigMapping.class)
                                        .prefix()
                                + '.'
                                + StringUtil.skewer(method.getName())))
                .containsExactlyInAnyOrderElementsOf(Setting.SERVER.stream()
                        .filter(setting -> setting.type() == Boolean.class)
                        .map(Setting::property)
                        .toList());
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
                        "with one of these, Quarkus validates the settings of all extensions, which takes a quarter of the startup time")
                .check(DeployedClasses.WITH_THE_INBOX);
    }

    private static Config config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withSources(new PropertiesConfigSource(settings, "test"))
                .build();
    }
}
