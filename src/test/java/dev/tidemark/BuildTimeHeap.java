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
 * Initialises on a JVM what GraalVM initialises on one while it builds the executable: Quarkus' application, with all that its
 * recorders make ahead of the start, and every class of ours. Prints the histogram of the heap that is left.
 */
final class BuildTimeHeap {

    private BuildTimeHeap() {}

    public static void main(String[] jar) throws ReflectiveOperationException, IOException, JMException {
        Class.forName("io.quarkus.runner.ApplicationImpl");
        for (String type : ours(Path.of(jar[0]))) {
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

    private static List<String> ours(Path jar) throws IOException {
        List<String> names = new ArrayList<>();
        try (JarFile open = new JarFile(jar.toFile())) {
            open.stream()
                    .map(Object::toString)
                    .filter(name -> name.startsWith("dev/tidemark/") && name.endsWith(".class"))
                    .map(name -> name.replace(".class", "").replace('/', '.'))
                    .forEach(names::add);
        }
        return names;
    }
}
