package dev.tidemark;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static dev.tidemark.DeployedClasses.DEPLOYED;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOutboundInvoker;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Context;
import java.io.Closeable;
import java.io.File;
import java.io.FileDescriptor;
import java.net.InetAddress;
import java.nio.file.Path;
import java.text.DateFormat;
import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Calendar;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.Timer;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Quarkus initializes all classes of Tidemark while it builds a native executable, so a static field keeps the value
 * that it got on the build machine. GraalVM rejects some of these values, such as buffers and threads, but only at the
 * end of a build that takes minutes. Others, such as the time, are wrong where the executable runs.
 */
@BesideQuarkusTests
class NativeImageRulesTest {

    /**
     * Types whose objects belong to one process. Subtypes are included: a {@code SecureRandom} is a {@code Random};
     * open sockets, streams and files are {@code Closeable}.
     */
    private static final List<Class<?>> TYPES_OF_ONE_PROCESS = List.of(
            Buffer.class,
            io.vertx.mutiny.core.buffer.Buffer.class,
            ByteBuf.class,
            ByteBufAllocator.class,
            java.nio.Buffer.class,
            ChannelOutboundInvoker.class,
            Vertx.class,
            io.vertx.mutiny.core.Vertx.class,
            io.vertx.core.Context.class,
            Executor.class,
            Thread.class,
            ThreadGroup.class,
            Timer.class,
            io.vertx.core.Timer.class,
            Process.class,
            ProcessHandle.class,
            Closeable.class,
            File.class,
            Path.class,
            FileDescriptor.class,
            InetAddress.class,
            SocketAddress.class,
            java.net.SocketAddress.class,
            Random.class,
            SplittableRandom.class,
            Clock.class,
            Calendar.class,
            DateFormat.class,
            TimeZone.class,
            ZoneId.class);

    private static final DescribedPredicate<JavaClass> BELONG_TO_ONE_PROCESS = TYPES_OF_ONE_PROCESS.stream()
            .map(type -> assignableTo(type))
            .reduce((one, other) -> one.or(other))
            .orElseThrow()
            .and(not(assignableTo(ZoneOffset.class)));

    /** Considers the type of the field, of the elements of an array, and of the arguments of a generic type. */
    private static final DescribedPredicate<JavaField> INVOLVE_TYPES_OF_ONE_PROCESS = describe(
            "involve a buffer, thread, file, socket, address, random source, clock or time zone",
            field -> field.getAllInvolvedRawTypes().stream().anyMatch(BELONG_TO_ONE_PROCESS));

    private static final DescribedPredicate<JavaMethod> RETURN_A_TYPE_THAT_LEADS_TO_NETTY_OR_VERTX = describe(
            "return a type of ours that leads to Netty or Vert.x",
            method -> method.getReturnType().getAllInvolvedRawTypes().stream()
                    .filter(type -> type.getPackageName().startsWith("dev.tidemark"))
                    .anyMatch(NativeImageRulesTest::leadsToNettyOrVertx));

    private static final DescribedPredicate<JavaMethod> HAVE_A_BODY_THAT_LEADS_TO_NETTY_OR_VERTX = describe(
            "have a parameter without @Context that leads to Netty or Vert.x", method -> method.getParameters().stream()
                    .filter(parameter -> !parameter.isAnnotatedWith(Context.class))
                    .anyMatch(parameter -> leadsToNettyOrVertx(parameter.getRawType())));

    /**
     * The methods whose results depend on the time, the machine, the process or chance, or that affect only the
     * running process: for each class, a pattern that matches their names.
     */
    private static final Map<String, String> MACHINE_DEPENDENT_METHODS = Map.ofEntries(
            Map.entry("java.lang.System", "nanoTime|currentTimeMillis|getenv|getProperty|getProperties|console"),
            Map.entry("java.lang.Integer", "getInteger"),
            Map.entry("java.lang.Long", "getLong"),
            Map.entry("java.lang.Boolean", "getBoolean"),
            Map.entry("java.lang.Math", "random"),
            Map.entry("java.lang.Runtime", "availableProcessors|.+Memory|addShutdownHook"),
            Map.entry("java.lang.ProcessHandle", "current"),
            Map.entry("java.lang.Thread", "start|<init>"),
            Map.entry("java.lang.management.ManagementFactory", ".*"),
            Map.entry("java.net.InetAddress", "get.*"),
            Map.entry("java.nio.charset.Charset", "defaultCharset"),
            Map.entry("java.security.SecureRandom", ".*"),
            Map.entry("java.time.Clock", "system.*|tick.*"),
            Map.entry("java.time.ZoneId", "systemDefault"),
            Map.entry("java.util.Locale", "getDefault"),
            Map.entry("java.util.Random", ".*"),
            Map.entry("java.util.SplittableRandom", ".*"),
            Map.entry("java.util.TimeZone", "getDefault"),
            Map.entry("java.util.UUID", "randomUUID"),
            Map.entry("java.util.concurrent.ThreadLocalRandom", ".*"));

    @Test
    void noStaticFieldHoldsStateOfOneProcess() {
        noFields()
                .that()
                .areStatic()
                .should(ArchCondition.from(INVOLVE_TYPES_OF_ONE_PROCESS))
                .check(DEPLOYED);
    }

    @Test
    void noStaticInitializerCallsAMachineDependentMethod() {
        assertThat(DEPLOYED.stream().filter(type -> type.getStaticInitializer().isPresent()))
                .hasSizeGreaterThan(30);
        classes().should(beInitializedWithoutMachineDependentCalls()).check(DEPLOYED);
    }

    /**
     * Quarkus registers the types in a resource's signature for reflection, with all their supertypes and the types of
     * their fields. It does not register the types of parameters with {@code @Context}.
     */
    @Test
    void noResourceLeadsToClassesOfNettyOrVertx() {
        noMethods()
                .that()
                .areAnnotatedWith(GET.class)
                .should(ArchCondition.from(RETURN_A_TYPE_THAT_LEADS_TO_NETTY_OR_VERTX))
                .orShould(ArchCondition.from(HAVE_A_BODY_THAT_LEADS_TO_NETTY_OR_VERTX))
                .check(DEPLOYED);
    }

    private static boolean leadsToNettyOrVertx(JavaClass type) {
        Set<JavaClass> reached = new LinkedHashSet<>(Set.of(type));
        Deque<JavaClass> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            JavaClass next = open.remove();
            Stream.of(
                            next.getAllRawSuperclasses().stream(),
                            next.getAllRawInterfaces().stream(),
                            next.getFields().stream().flatMap(field -> field.getAllInvolvedRawTypes().stream()))
                    .flatMap(Function.identity())
                    .filter(reached::add)
                    .filter(found -> found.getPackageName().startsWith("dev.tidemark"))
                    .forEach(open::add);
        }
        return reached.stream().map(JavaClass::getName).anyMatch(name -> name.matches("io\\.(netty|vertx)\\..+"));
    }

    private static ArchCondition<JavaClass> beInitializedWithoutMachineDependentCalls() {
        return new ArchCondition<>("be initialized without calls that depend on the time or the machine") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getStaticInitializer().stream()
                        .flatMap(initializer -> reachedFrom(initializer).stream())
                        .flatMap(unit -> unit.getAccessesFromSelf().stream())
                        .filter(NativeImageRulesTest::isMachineDependent)
                        .forEach(access -> events.add(SimpleConditionEvent.violated(
                                type,
                                "The initializer of " + type.getName() + " reaches: " + access.getDescription())));
            }
        };
    }

    /**
     * The code of Tidemark that an initializer refers to, directly or indirectly, including lambdas and method
     * references.
     */
    private static Set<JavaCodeUnit> reachedFrom(JavaCodeUnit initializer) {
        Set<JavaCodeUnit> reached = new LinkedHashSet<>(List.of(initializer));
        Deque<JavaCodeUnit> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            open.remove().getAccessesFromSelf().stream()
                    .map(JavaAccess::getTarget)
                    .filter(target -> DEPLOYED.contain(target.getOwner().getName()))
                    .flatMap(target -> target.resolveMember().stream())
                    .filter(JavaCodeUnit.class::isInstance)
                    .map(JavaCodeUnit.class::cast)
                    .filter(reached::add)
                    .forEach(open::add);
        }
        return reached;
    }

    private static boolean isMachineDependent(JavaAccess<?> access) {
        String names = MACHINE_DEPENDENT_METHODS.get(access.getTargetOwner().getName());
        boolean isMomentOfNow = access.getTargetOwner().getPackageName().equals("java.time")
                && access.getTarget().getName().equals("now");
        return isMomentOfNow || names != null && access.getTarget().getName().matches(names);
    }
}
