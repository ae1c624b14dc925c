package dev.tidemark;

import static dev.tidemark.DeploymentFiles.at;
import static dev.tidemark.DeploymentFiles.composeService;
import static dev.tidemark.DeploymentFiles.container;
import static dev.tidemark.DeploymentFiles.documents;
import static dev.tidemark.DeploymentFiles.kubernetesEnvironment;
import static dev.tidemark.DeploymentFiles.manifest;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the deployment files against each other and against the project. {@link DeploymentExampleIT} starts what they
 * declare.
 */
class DeploymentFilesTest {

    private static final int MANAGEMENT_PORT = 9000;

    /** PostgreSQL's default for max_connections, minus the connections reserved for superusers. */
    private static final int USABLE_CONNECTIONS = 100 - 3;

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile.jvm", "Dockerfile.native"})
    void imagesCopyOnlyFilesThatExistAndThatDockerSends(String file) throws IOException {
        String text = Files.readString(DeploymentFiles.DOCKER.resolve(file));
        List<String> sent = Files.readAllLines(Path.of(".dockerignore")).stream()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .toList();
        List<String> copied = Pattern.compile("(?m)^COPY --chown=\\S+ (.+) \\S+$")
                .matcher(text)
                .results()
                .flatMap(copy -> Stream.of(copy.group(1).split(" ")))
                .toList();
        assertThat(copied).isNotEmpty().isSubsetOf(sent).allMatch(name -> Files.exists(Path.of(name)));
    }

    /** Java silently ignores an AOT cache that was made from another jar or path. */
    @Test
    void theImageRunsTheJarThatItsAotCacheWasMadeFrom() throws IOException {
        String text = Files.readString(DeploymentFiles.DOCKER.resolve("Dockerfile.jvm"));
        String entryPoint = text.substring(text.indexOf("\nENTRYPOINT "));
        assertThat(entryPoint)
                .contains("\"-jar\", \"" + group("-Ddeployed\\.jar=(\\S+)", text) + '"')
                .contains("\"-XX:AOTCache=" + group("-XX:AOTCacheOutput=(\\S+)", text) + '"');
    }

    /** Operators start each JVM with an agent for traces, or with {@code -Dcom.sun.management.jmxremote}. */
    @Test
    void theJvmOfTheImageCanStartAgents() throws IOException {
        List<String> modules = Pattern.compile("--add-modules (\\S+)")
                .matcher(Files.readString(DeploymentFiles.DOCKER.resolve("Dockerfile.jvm")))
                .results()
                .flatMap(list -> Stream.of(list.group(1).split(",")))
                .toList();
        assertThat(Configuration.empty()
                        .resolve(ModuleFinder.ofSystem(), ModuleFinder.of(), modules)
                        .modules())
                .extracting(ResolvedModule::name)
                .contains(
                        "java.instrument", "java.management.rmi", "jdk.management", "jdk.management.agent", "java.sql");
    }

    @Test
    void theAotCacheOfTheImageIsMadeByAnExistingTest() throws IOException {
        String prefix = group(
                "-Dit\\.test=DeploymentExampleIT#(\\w+)\\*",
                Files.readString(DeploymentFiles.DOCKER.resolve("Dockerfile.jvm")));
        assertThat(DeploymentExampleIT.class.getDeclaredMethods())
                .filteredOn(method -> method.isAnnotationPresent(Test.class))
                .extracting(Method::getName)
                .filteredOn(name -> name.startsWith(prefix))
                .hasSize(1);
    }

    @Test
    void composeMountsExistingFilesAndDoesNotPublishTheManagementPort() {
        for (String service : List.of("postgres", "tidemark")) {
            assertThat(list(composeService(service), "volumes").map(Object::toString))
                    .filteredOn(volume -> volume.startsWith("./"))
                    .isNotEmpty()
                    .allMatch(volume -> Files.exists(DeploymentFiles.DOCKER.resolve(volume.split(":")[0])));
        }
        assertThat(list(composeService("tidemark"), "ports")).containsExactly("8080:8080");
    }

    @Test
    void probesUseTheManagementPort() {
        Map<Object, Object> ports = list(container(), "ports")
                .map(port -> (Map<?, ?>) port)
                .collect(toMap(port -> port.get("name"), port -> port.get("containerPort")));
        assertThat(ports).isEqualTo(Map.of("http", 8080, "management", MANAGEMENT_PORT));
        Map.of("startupProbe", "started", "livenessProbe", "live", "readinessProbe", "ready")
                .forEach((probe, path) -> assertThat(at(container(), probe, "httpGet"))
                        .isEqualTo(Map.of("path", "/q/health/" + path, "port", "management")));
        assertThat(at(manifest("Service"), "spec").get("ports").toString())
                .contains("targetPort=http")
                .doesNotContain("management");
    }

    @Test
    void theConnectionsOfAllPodsFitIntoTheDatabasesLimit() {
        Map<String, String> environment = kubernetesEnvironment(Path.of("feeds.yaml"), "password", "keys");
        int ofAPod = Integer.parseInt(environment.get("QUARKUS_VERTX_EVENT_LOOPS_POOL_SIZE"))
                + 3 * Integer.parseInt(environment.get("QUARKUS_DATASOURCE_REACTIVE_MAX_SIZE"))
                + 1;
        int pods = (int) at(manifest("HorizontalPodAutoscaler"), "spec").get("maxReplicas")
                + (int) at(manifest("Deployment"), "spec", "strategy", "rollingUpdate")
                        .get("maxSurge");
        assertThat(pods * ofAPod).isLessThanOrEqualTo(USABLE_CONNECTIONS);
    }

    @Test
    void theKustomizationListsEveryManifestExceptTheSecret() throws IOException {
        Stream<String> applied = list(
                        documents(DeploymentFiles.KUBERNETES.resolve("kustomization.yaml"))
                                .get(0),
                        "resources")
                .map(Object::toString);
        try (Stream<Path> files = Files.list(DeploymentFiles.KUBERNETES)) {
            assertThat(Stream.concat(applied, Stream.of("secret.yaml", "kustomization.yaml", "native-heap-dumps")))
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(file -> file.getFileName().toString()).toList());
        }
    }

    /** A native executable exits at once if it gets an option that only a JVM supports. */
    @Test
    void theNativeExecutableGetsNoOptionsThatOnlyAJvmSupports() throws IOException {
        String text = Files.readString(DeploymentFiles.DOCKER.resolve("Dockerfile.native"));
        assertThat(text.substring(text.indexOf("\nENTRYPOINT ")))
                .isEqualTo("\nENTRYPOINT [\"/tidemark\", \"-XX:MaximumHeapSizePercent=50\","
                        + " \"-XX:+ExitOnOutOfMemoryError\"]\n");
    }

    private static Stream<Object> list(Map<String, Object> from, String name) {
        return ((List<?>) from.get(name)).stream().map(element -> (Object) element);
    }

    private static String group(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }
}
