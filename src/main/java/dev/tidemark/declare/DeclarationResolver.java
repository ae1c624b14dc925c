package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.TableColumnNames;
import dev.tidemark.declare.Catalogue.TableCondition;
import dev.tidemark.feed.Feed;
import dev.tidemark.naming.NearestName;
import dev.tidemark.naming.SqlQuoting;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Resolves declarations against the database. Mismatches are recorded as faults. For each kind of query, one batch is
 * sent for all declarations.
 */
final class DeclarationResolver {

    private final Catalogue catalogue;

    DeclarationResolver(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** A feed with its declaration and table. */
    record ResolvedFeed(FeedDeclaration declaration, Feed feed, Table table) {}

    /** The state of resolving one declaration: first its table is found, then its feed is built. */
    static final class Attempt {

        private final FeedDeclaration declaration;
        private final String tableName;
        private final Faults.FeedFaults faults;
        private Optional<Table> table = Optional.empty();
        private Optional<Feed> feed = Optional.empty();
        private boolean hasRejectedCondition;

        /** @param tableName the SQL name of the table or view */
        Attempt(FeedDeclaration declaration, String tableName, Faults.FeedFaults faults) {
            this.declaration = declaration;
            this.tableName = tableName;
            this.faults = faults;
        }

        private void setTable(Optional<Table> foundTable) {
            table = foundTable;
        }

        /** @param nameFault why the database rejects the name; empty if no table or view has this name */
        private void reportMissing(Optional<String> nameFault, List<String> readableRelations) {
            faults.add(
                    "table",
                    nameFault
                            .map(fault -> "cannot be read: " + fault)
                            .orElseGet(() -> "there is no table or view '" + tableName + "'"
                                    + NearestName.hint(tableName, readableRelations)));
        }

        private void resolve() {
            feed = table.flatMap(found -> new FeedResolver(declaration, found, faults).resolve());
        }

        /**
         * Records only the first rejected condition: if the table cannot be read, the database rejects all conditions.
         *
         * @param missingGrant the statement that grants the role what it lacks; empty if it lacks nothing that is known
         */
        private void reject(String property, String message, Optional<String> missingGrant) {
            if (!hasRejectedCondition) {
                faults.add(
                        property,
                        message
                                + missingGrant
                                        .map(grant -> "; missing: " + grant)
                                        .orElse(""),
                        missingGrant.stream().toList());
            }
            hasRejectedCondition = true;
        }

        /**
         * Returns the columns that the statements of the feed name, apart from columns used only in {@code visible};
         * none for a feed with faults. The rows of a feed without a key are compared as a whole.
         */
        private TableColumnNames readColumns() {
            Table found = table.orElseThrow();
            List<String> names = feed.map(built -> built.relation().hasKey()
                            ? Stream.concat(
                                            built.usedColumns().keySet().stream(),
                                            built.policy().delta().stream()
                                                    .flatMap(delta -> Feed.Delta.SYSTEM_COLUMNS.stream()))
                                    .toList()
                            : found.columns().stream()
                                    .map(column -> column.column().name())
                                    .toList())
                    .orElse(List.of());
            return new TableColumnNames(found, names);
        }

        private Optional<ResolvedFeed> result() {
            return hasRejectedCondition
                    ? Optional.empty()
                    : feed.map(built -> new ResolvedFeed(declaration, built, table.orElseThrow()));
        }
    }

    /**
     * A condition that the database must accept. If it rejects the condition, the property has a fault.
     *
     * @param message the start of the fault's message
     */
    private record Check(Attempt attempt, String property, String message, String condition) {
        TableCondition toCondition() {
            return new TableCondition(attempt.table.orElseThrow(), condition);
        }
    }

    private record Rejection(Check check, String reason) {}

    /** @return the feed of each attempt, in the same order; an empty element for an attempt with faults */
    Uni<List<Optional<ResolvedFeed>>> resolve(List<Attempt> attempts) {
        return catalogue
                .findTables(attempts.stream().map(attempt -> attempt.tableName).toList())
                .invoke(tables -> {
                    for (int i = 0; i < tables.size(); i++) {
                        attempts.get(i).setTable(tables.get(i));
                    }
                })
                .chain(() -> reportMissing(attempts.stream()
                        .filter(attempt -> attempt.table.isEmpty())
                        .toList()))
                .invoke(() -> attempts.forEach(Attempt::resolve))
                .chain(() -> runChecks(attempts.stream().flatMap(DeclarationResolver::checks)))
                .map(done -> attempts.stream().map(Attempt::result).toList());
    }

    private Uni<Void> reportMissing(List<Attempt> missing) {
        return missing.isEmpty()
                ? Uni.createFrom().voidItem()
                : Uni.combine()
                        .all()
                        .unis(
                                catalogue.checkNames(missing.stream()
                                        .map(attempt -> attempt.tableName)
                                        .toList()),
                                catalogue.findReadableRelations())
                        .with((nameFaults, readable) -> {
                            for (int i = 0; i < missing.size(); i++) {
                                missing.get(i).reportMissing(nameFaults.get(i), readable);
                            }
                            return null;
                        });
    }

    private static Stream<Check> checks(Attempt attempt) {
        if (attempt.table.isEmpty()) {
            return Stream.empty();
        }
        return Stream.of(
                        Stream.of(new Check(attempt, "table", "cannot be read: ", "true")),
                        attempt.declaration.visible().stream()
                                .map(visible -> new Check(attempt, "visible", "is not a valid condition: ", visible)),
                        columnsCheck(attempt))
                .flatMap(Function.identity());
    }

    /**
     * Returns the check that all used columns can be read. It is needed because privileges can be granted on single
     * columns.
     */
    private static Stream<Check> columnsCheck(Attempt attempt) {
        return attempt.feed.stream()
                .map(feed -> attempt.readColumns().names().stream()
                        .map(SqlQuoting::quoteIdentifier)
                        .collect(Collectors.joining(", ", "ROW(", ") IS NULL")))
                .map(row -> new Check(attempt, "columns", "cannot be read: ", row));
    }

    private Uni<Void> runChecks(Stream<Check> requested) {
        List<Check> checks = requested.toList();
        return catalogue
                .checkConditions(checks.stream().map(Check::toCondition).toList())
                .map(faults -> IntStream.range(0, checks.size())
                        .boxed()
                        .flatMap(i -> faults.get(i).stream().map(reason -> new Rejection(checks.get(i), reason)))
                        .toList())
                .chain(this::reject);
    }

    private Uni<Void> reject(List<Rejection> rejections) {
        return catalogue
                .findMissingGrants(rejections.stream()
                        .map(rejection -> rejection.check().attempt().readColumns())
                        .toList())
                .invoke(grants -> {
                    for (int i = 0; i < grants.size(); i++) {
                        Check check = rejections.get(i).check();
                        check.attempt()
                                .reject(
                                        check.property(),
                                        check.message() + rejections.get(i).reason(),
                                        grants.get(i));
                    }
                })
                .replaceWithVoid();
    }
}
