package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.Condition;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Feed;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Holds declarations against the database; whatever is wrong becomes a fault. Asks each kind of question for all of them at once. */
final class DeclarationResolver {

    private final Catalogue catalogue;

    DeclarationResolver(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** A feed that was found whole, and what it is over. */
    record ResolvedFeed(FeedDeclaration declaration, Feed feed, Table table) {}

    /** One declaration on its way: first its table is found, then its feed. */
    static final class Attempt {

        private final FeedDeclaration declaration;
        private final String tableName;
        private final Faults.ForFeed faults;
        private Optional<Table> table = Optional.empty();
        private Optional<Feed> feed = Optional.empty();
        private boolean refused;

        /** @param tableName the table to hold it against, as SQL names it */
        Attempt(FeedDeclaration declaration, String tableName, Faults.ForFeed faults) {
            this.declaration = declaration;
            this.tableName = tableName;
            this.faults = faults;
        }

        private void found(Optional<Table> found) {
            table = found;
            if (found.isEmpty()) {
                faults.add("table", "there is no table or view " + tableName);
            }
        }

        private void resolve() {
            feed = table.flatMap(found -> new FeedResolver(declaration, found, faults).resolve());
        }

        /** Only the first refusal counts: of a table that cannot be read, every condition is refused. */
        private void refuse(String property, String message) {
            if (!refused) {
                faults.add(property, message);
            }
            refused = true;
        }

        private Optional<ResolvedFeed> result() {
            return refused ? Optional.empty() : feed.map(whole -> new ResolvedFeed(declaration, whole, table.orElseThrow()));
        }
    }

    /** What the database must accept of a table; it is the property's fault if it does not. */
    private record Check(Attempt attempt, String property, String complaint, String condition) {
        Condition question() {
            return new Condition(attempt.table.orElseThrow(), condition);
        }

        void answer(Optional<String> fault) {
            fault.ifPresent(reason -> attempt.refuse(property, complaint + reason));
        }
    }

    /** @return for each attempt its feed, or nothing when there were faults */
    Uni<List<Optional<ResolvedFeed>>> resolve(List<Attempt> attempts) {
        return catalogue
                .find(attempts.stream().map(attempt -> attempt.tableName).toList())
                .invoke(tables -> {
                    for (int i = 0; i < tables.size(); i++) {
                        attempts.get(i).found(tables.get(i));
                    }
                })
                .chain(() -> hold(attempts.stream().flatMap(DeclarationResolver::conditions)))
                .invoke(() -> attempts.forEach(Attempt::resolve))
                .chain(() -> hold(attempts.stream().flatMap(DeclarationResolver::columns)))
                .map(held -> attempts.stream().map(Attempt::result).toList());
    }

    private static Stream<Check> conditions(Attempt attempt) {
        if (attempt.table.isEmpty()) {
            return Stream.empty();
        }
        return Stream.concat(
                Stream.of(new Check(attempt, "table", "cannot be read: ", "true")),
                attempt.declaration.visible().stream()
                        .map(visible ->
                                new Check(attempt, "visible", "is no condition on the table's rows: ", visible)));
    }

    /** A role that may read a table may still be denied some of its columns. */
    private static Stream<Check> columns(Attempt attempt) {
        return attempt.feed.stream()
                .map(feed -> feed.usedColumns().keySet().stream()
                        .flatMap(name -> attempt.table.orElseThrow().find(name).stream())
                        .map(TableColumn::sqlName)
                        .collect(Collectors.joining(", ", "ROW(", ") IS NULL")))
                .map(row -> new Check(attempt, "columns", "cannot be read: ", row));
    }

    private Uni<Void> hold(Stream<Check> asked) {
        List<Check> checks = asked.toList();
        return catalogue
                .checkConditions(checks.stream().map(Check::question).toList())
                .invoke(faults -> {
                    for (int i = 0; i < faults.size(); i++) {
                        checks.get(i).answer(faults.get(i));
                    }
                })
                .replaceWithVoid();
    }
}
