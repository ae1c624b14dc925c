package dev.tidemark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Initializes on a JVM what GraalVM initializes while it builds a native executable: the Quarkus application, with
 * everything that its recorders create at build time, and all classes of Tidemark. Then it prints a histogram of the
 * heap.
 */
final class BuildTimeHeap {

    private BuildTimeHeap() {}

    public static void main(String[] arguments) throws ReflectiveOperationException, IOException, JMException {
        Class.forName("io.quarkus.runner.ApplicationImpl");
        for (String type : classesOfTheProject(Path.of(arguments[0]))) {
            Class.forName(type);
        }
        System.out.println(ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()}));
        System.exit(0);
    }

    private static List<String> classesOfTheProject(Path jar) throws IOException {
        List<String> names = new ArrayList<>();
        try (JarFile jarFile = new JarFile(jar.toFile())) {
            jarFile.stream()
                    .map(Object::toString)
                    .filter(name -> name.startsWith("dev/tidemark/") && name.endsWith(".class"))
                    .map(name -> name.replace(".class", "").replace('/', '.'))
                    .forEach(names::add);
        }
        return names;
    }
}
