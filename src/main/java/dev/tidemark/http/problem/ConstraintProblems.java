package dev.tidemark.http.problem;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Path;
import jakarta.validation.Validator;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Converts constraint violations to problems. Hibernate Validator checks the bounds; the catalogue defines the codes.
 */
public final class ConstraintProblems {

    private static final Map<String, ProblemCode> CODES = Map.of("limit", ProblemCode.INVALID_LIMIT);

    private ConstraintProblems() {}

    /** @throws ConstraintViolationException if a value is out of bounds */
    public static <T> T validate(Validator validator, T query) {
        Set<ConstraintViolation<T>> violations = validator.validate(query);
        if (!violations.isEmpty()) {
            throw new ConstraintViolationException(violations);
        }
        return query;
    }

    /** Returns the problem of a violated parameter; empty if no violation concerns a value that the client sent. */
    static Optional<Problem> problem(ConstraintViolationException violations) {
        return violations.getConstraintViolations().stream()
                .sorted(Comparator.comparing(ConstraintProblems::parameter))
                .map(violation -> Optional.ofNullable(CODES.get(parameter(violation)))
                        .map(code -> Problem.with(
                                parameter(violation), code, parameter(violation) + ' ' + violation.getMessage())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static String parameter(ConstraintViolation<?> violation) {
        String last = "";
        for (Path.Node node : violation.getPropertyPath()) {
            last = node.getName();
        }
        return last == null ? "" : last;
    }
}
