package dev.tidemark;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The deployment files, parsed strictly: a duplicate key is an error. */
@SuppressWarnings("unchecked")
final class DeploymentFiles {

    static final Path DOCKER = Path.of("src", "main", "docker");
    static final Path EXAMPLE = DOCKER.resolve("example");
    static final Path KUBERNETES = Path.of("src", "main", "kubernetes");

    private DeploymentFiles() {}

    static List<Map<String, Object>> documents(Path file) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        try {
            Iterable<Object> all = new Yaml(new SafeConstructor(strict)).loadAll(Files.readString(file));
            return StreamSupport.stream(all.spliterator(), false)
                    .map(document -> (Map<String, Object>) document)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, Object> composeService(String name) {
        return at(documents(DOCKER.resolve("compose.yaml")).get(0), "services", name);
    }

    /** Returns the only manifest of a kind, and fails if there is none or more than one. */
    static Map<String, Object> manifest(String kind) {
        try (Stream<Path> files = Files.list(KUBERNETES)) {
            List<Map<String, Object>> found = files.filter(Files::isRegularFile)
                    .flatMap(file -> documents(file).stream())
                    .filter(document -> document.get("kind").equals(kind))
                    .toList();
            if (found.size() != 1) {
                throw new AssertionError("there are " + found.size() + " manifests of kind " + kind);
            }
            return found.get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, Object> pod() {
        return at(manifest("Deployment"), "spec", "template", "spec");
    }

    static Map<String, Object> container() {
        return ((List<Map<String, Object>>) pod().get("containers")).get(0);
    }

    static String configMapFeeds() {
        return (String) at(manifest("ConfigMap"), "data").get("feeds.yaml");
    }

    /** The environment variables of Tidemark's service, with the given files instead of the mounted ones. */
    static Map<String, String> composeEnvironment(Path feeds, Path secrets) {
        Map<String, String> environment = new HashMap<>();
        at(composeService("tidemark"), "environment").forEach((name, value) -> environment.put(name, value.toString()));
        environment.computeIfPresent(
                "QUARKUS_CONFIG_LOCATIONS", (name, mounted) -> mounted.replace("/config/feeds.yaml", feeds.toString())
                        .replace("/run/secrets/tidemark.properties", secrets.toString()));
        return environment;
    }

    /**
     * The environment variables of the container, with the given file instead of the mounted one, and with the given
     * values instead of those of the Secret.
     */
    static Map<String, String> kubernetesEnvironment(Path feeds, String password, String keys) {
        Map<String, String> secret = Map.of("database-password", password, "cursor-keys", keys);
        return ((List<Map<String, Object>>) container().get("env"))
                .stream()
                        .collect(toMap(
                                variable -> (String) variable.get("name"),
                                variable -> variable.get("value") == null
                                        ? secret.get(at(variable, "valueFrom", "secretKeyRef")
                                                .get("key"))
                                        : variable.get("value")
                                                .toString()
                                                .replace("/config/feeds.yaml", feeds.toString())));
    }

    static Map<String, Object> at(Map<String, Object> from, String... path) {
        for (String name : path) {
            from = (Map<String, Object>) from.get(name);
            if (from == null) {
                throw new AssertionError("there is no " + name);
            }
        }
        return from;
    }
}
