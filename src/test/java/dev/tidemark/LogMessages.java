package dev.tidemark;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jboss.logging.BasicLogger;

/**
 * The messages that source files log above debug level, as the compiler sees them: the literals, with {@code …} for
 * every value between them. A method that logs one of its parameters counts as a logger: its callers' messages are
 * included.
 */
final class LogMessages {

    private static final Set<String> LOG_METHODS =
            Set.of("info", "infof", "infov", "warn", "warnf", "warnv", "error", "errorf", "errorv", "fatal", "fatalf");

    private static final String VALUE = "…";
    private static final Pattern PLACEHOLDER = Pattern.compile("%[,\\d]*[a-mo-z]");
    private static final Pattern WHITESPACE = Pattern.compile("%n|\\s+");

    private final List<String> texts = new ArrayList<>();
    private final List<String> classesThatLogComposedTexts = new ArrayList<>();

    /** For each method that logs one of its parameters, the index of that parameter. */
    private final Map<Element, Integer> loggingMethods = new HashMap<>();

    private LogMessages() {}

    static LogMessages in(Iterable<? extends JavaFileObject> sources) {
        var messages = new LogMessages();
        var options = List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
        var task = (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(Writer.nullWriter(), null, null, options, null, sources);
        try {
            var units = task.parse();
            task.analyze();
            var trees = Trees.instance(task);
            units.forEach(unit -> messages.new LoggerCalls(trees).scan(unit, null));
            units.forEach(unit -> messages.new LoggingMethodCalls(trees).scan(unit, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages;
    }

    List<String> texts() {
        return texts;
    }

    /** The names of the classes that log a message whose text is composed elsewhere, once for each such message. */
    List<String> classesThatLogComposedTexts() {
        return classesThatLogComposedTexts;
    }

    private final class LoggerCalls extends TreePathScanner<Void, Void> {

        private final Trees trees;

        LoggerCalls(Trees trees) {
            this.trees = trees;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            if (trees.getElement(getCurrentPath()) instanceof ExecutableElement method && isLogMethod(method)) {
                boolean failureFirst =
                        method.getParameters().get(0).asType().toString().equals("java.lang.Throwable");
                ExpressionTree message = call.getArguments().get(failureFirst ? 1 : 0);
                record(message);
                recordLoggedParameters(new TreePath(getCurrentPath(), message));
            }
            return super.visitMethodInvocation(call, nothing);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree reference, Void nothing) {
            if (trees.getElement(getCurrentPath()) instanceof ExecutableElement method && isLogMethod(method)) {
                classesThatLogComposedTexts.add(currentClass(getCurrentPath()));
            }
            return super.visitMemberReference(reference, nothing);
        }

        private void record(ExpressionTree message) {
            String text = text(message);
            if (!text.equals(VALUE)) {
                texts.add(text);
            } else if (parameter(new TreePath(getCurrentPath(), message)) == null) {
                classesThatLogComposedTexts.add(currentClass(getCurrentPath()));
            }
        }

        private void recordLoggedParameters(TreePath message) {
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitIdentifier(IdentifierTree identifier, Void nothing) {
                    Element parameter = parameter(getCurrentPath());
                    if (parameter != null && parameter.asType().toString().equals("java.lang.String")) {
                        var method = (ExecutableElement) parameter.getEnclosingElement();
                        loggingMethods.put(method, method.getParameters().indexOf(parameter));
                    }
                    return null;
                }
            }.scan(message, null);
        }

        /** @return null if the expression is not a parameter of a method */
        private Element parameter(TreePath expression) {
            Element element = trees.getElement(expression);
            return element != null
                            && element.getKind() == ElementKind.PARAMETER
                            && element.getEnclosingElement() instanceof ExecutableElement
                    ? element
                    : null;
        }
    }

    private final class LoggingMethodCalls extends TreePathScanner<Void, Void> {

        private final Trees trees;

        LoggingMethodCalls(Trees trees) {
            this.trees = trees;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            Integer message = loggingMethods.get(trees.getElement(getCurrentPath()));
            if (message != null) {
                String text = text(call.getArguments().get(message));
                if (text.equals(VALUE)) {
                    classesThatLogComposedTexts.add(currentClass(getCurrentPath()));
                } else {
                    texts.add(text);
                }
            }
            return super.visitMethodInvocation(call, nothing);
        }
    }

    private static boolean isLogMethod(ExecutableElement method) {
        String type = method.getEnclosingElement().toString();
        return LOG_METHODS.contains(method.getSimpleName().toString())
                && (type.equals(BasicLogger.class.getName()) || type.equals(org.jboss.logging.Logger.class.getName()));
    }

    private static String currentClass(TreePath path) {
        CompilationUnitTree unit = path.getCompilationUnit();
        String file = unit.getSourceFile().getName();
        return file.substring(file.lastIndexOf('/') + 1).replace(".java", "");
    }

    private static String text(Tree expression) {
        return WHITESPACE.matcher(joinLiterals(expression)).replaceAll(" ").strip();
    }

    private static String joinLiterals(Tree expression) {
        if (expression instanceof ParenthesizedTree inner) {
            return joinLiterals(inner.getExpression());
        }
        if (expression instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
            return joinLiterals(sum.getLeftOperand()) + joinLiterals(sum.getRightOperand());
        }
        if (expression instanceof MethodInvocationTree call
                && call.getMethodSelect() instanceof MemberSelectTree method
                && method.getIdentifier().contentEquals("formatted")) {
            return joinLiterals(method.getExpression());
        }
        return expression instanceof LiteralTree literal && literal.getValue() instanceof String text
                ? PLACEHOLDER.matcher(text).replaceAll(VALUE)
                : VALUE;
    }
}
