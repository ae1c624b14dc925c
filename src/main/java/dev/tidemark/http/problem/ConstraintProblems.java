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
 * Validates queries with Hibernate Validator, and converts violated constraints to problems.
 */
public final class ConstraintProblems {

    private static final Map<String, ProblemCode> CODE_BY_PARAMETER = Map.of("limit", ProblemCode.INVALID_LIMIT);

    private ConstraintProblems() {}

    /**
     * @param groups the validation groups; none for the default group
     * @throws ConstraintViolationException if a value is out of bounds
     */
    public static <T> T validate(Validator validator, T query, Class<?>... groups) {
        Set<ConstraintViolation<T>> violations = validator.validate(query, groups);
        if (!violations.isEmpty()) {
            throw new ConstraintViolationException(violations);
        }
        return query;
    }

    /** Returns the problem of a violated constraint; empty if no violation concerns a parameter of the request. */
    static Optional<Problem> problem(ConstraintViolationException violations) {
        return violations.getConstraintViolations().stream()
                .sorted(Comparator.comparing(ConstraintProblems::parameterName))
                .map(violation -> Optional.ofNullable(CODE_BY_PARAMETER.get(parameterName(violation)))
                        .map(code -> Problem.ofParameter(
                                parameterName(violation),
                                code,
                                parameterName(violation) + ' ' + violation.getMessage())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static String parameterName(ConstraintViolation<?> violation) {
        String last = "";
        for (Path.Node node : violation.getPropertyPath()) {
            last = node.getName();
        }
        return last == null ? "" : last;
    }
}
