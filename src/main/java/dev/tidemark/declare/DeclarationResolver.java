package dev.tidemark.declare;

import dev.tidemark.declare.Catalogue.Derivation;
import dev.tidemark.declare.Catalogue.KeyData;
import dev.tidemark.declare.Catalogue.TableColumnNames;
import dev.tidemark.declare.Catalogue.TableCondition;
import dev.tidemark.declare.Catalogue.TableExpression;
import dev.tidemark.declare.EmbedResolver.EmbeddedTable;
import dev.tidemark.feed.Feed;
import dev.tidemark.naming.NearestName;
import io.smallrye.mutiny.Uni;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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

    /**
     * A feed with its declaration and tables.
     *
     * @param embeddedTables the tables of the feed's embeds, in their order
     * @param membershipTables the tables of the memberships in the feed's scope, in their order
     * @param notifyingTables the tables of {@code notify-on}. No statement reads them, so their changes do not concern the
     *     declaration
     */
    record ResolvedFeed(
            FeedDeclaration declaration,
            Feed feed,
            Table table,
            List<Table> embeddedTables,
            List<Table> membershipTables,
            List<Table> notifyingTables) {

        ResolvedFeed withFeed(Feed newFeed) {
            return new ResolvedFeed(declaration, newFeed, table, embeddedTables, membershipTables, notifyingTables);
        }

        /** The tables that the statements of the feed read. */
        List<Table> tables() {
            return Stream.of(Stream.of(table), embeddedTables.stream(), membershipTables.stream())
                    .flatMap(Function.identity())
                    .toList();
        }

        /** Returns an attempt to resolve the declaration again, over the same tables. */
        Attempt attemptAgain(Faults.FeedFaults faults) {
            return new Attempt(
                    declaration,
                    table.sqlName(),
                    embeddedTables.stream().map(Table::sqlName).toList(),
                    membershipTables.stream().map(Table::sqlName).toList(),
                    List.of(),
                    notifyingTables,
                    faults);
        }
    }

    /** The state of resolving one declaration: first its table is found, then its feed is built. */
    static final class Attempt {

        private final FeedDeclaration declaration;
        private final String tableName;
        private final List<String> embeddedNames;
        private final List<String> membershipNames;
        private final List<String> notifyingNames;
        private final Faults.FeedFaults faults;
        private final Set<String> rejectedSources = new HashSet<>();
        private Optional<Table> table = Optional.empty();
        private List<Optional<Table>> embeddedTables = List.of();
        private final Map<String, KeyData> keyData = new HashMap<>();
        private List<Optional<Table>> membershipTables = List.of();
        private List<Optional<Table>> notifyingTables;
        private Optional<Feed> feed = Optional.empty();

        Attempt(FeedDeclaration declaration, Faults.FeedFaults faults) {
            this(
                    declaration,
                    declaration.table(),
                    declaration.embeds().stream()
                            .map(FeedDeclaration.Embed::table)
                            .toList(),
                    declaration.access().memberships().stream()
                            .map(FeedDeclaration.Membership::table)
                            .toList(),
                    declaration.notifyOn(),
                    List.of(),
                    faults);
        }

        /**
         * @param tableName the SQL name of the table or view
         * @param embeddedNames the SQL names of the tables of the declared embeds, in their order
         * @param membershipNames the SQL names of the tables of the declared memberships, in their order
         * @param notifyingNames the SQL names of the tables of {@code notify-on} to find
         * @param notifyingTables those that were found before
         */
        private Attempt(
                FeedDeclaration declaration,
                String tableName,
                List<String> embeddedNames,
                List<String> membershipNames,
                List<String> notifyingNames,
                List<Table> notifyingTables,
                Faults.FeedFaults faults) {
            this.declaration = declaration;
            this.tableName = tableName;
            this.embeddedNames = embeddedNames;
            this.membershipNames = membershipNames;
            this.notifyingNames = notifyingNames;
            this.notifyingTables = notifyingTables.stream().map(Optional::of).toList();
            this.faults = faults;
        }

        private Stream<String> tableNames() {
            return Stream.of(
                            Stream.of(tableName),
                            embeddedNames.stream(),
                            membershipNames.stream(),
                            notifyingNames.stream())
                    .flatMap(Function.identity());
        }

        private int tableCount() {
            return 1 + embeddedNames.size() + membershipNames.size() + notifyingNames.size();
        }

        private void setTables(List<Optional<Table>> found) {
            int firstMembership = 1 + embeddedNames.size();
            table = found.get(0);
            embeddedTables = List.copyOf(found.subList(1, firstMembership));
            int firstNotifying = firstMembership + membershipNames.size();
            membershipTables = List.copyOf(found.subList(firstMembership, firstNotifying));
            if (!notifyingNames.isEmpty()) {
                notifyingTables = List.copyOf(found.subList(firstNotifying, found.size()));
            }
        }

        /** The tables that were declared and not found. */
        private Stream<MissingTable> missingTables() {
            return Stream.of(
                            Stream.of(new MissingTable(this, "table", tableName))
                                    .filter(missing -> table.isEmpty()),
                            IntStream.range(0, embeddedTables.size())
                                    .filter(i -> embeddedTables.get(i).isEmpty())
                                    .mapToObj(i -> new MissingTable(
                                            this, declaration.embeds().get(i).property("table"), embeddedNames.get(i))),
                            IntStream.range(0, membershipTables.size())
                                    .filter(i -> membershipTables.get(i).isEmpty())
                                    .mapToObj(i -> new MissingTable(
                                            this, declaredMembership(i).property("in"), membershipNames.get(i))),
                            IntStream.range(0, notifyingNames.size())
                                    .filter(i -> notifyingTables.get(i).isEmpty())
                                    .mapToObj(i ->
                                            new MissingTable(this, DeclarationParser.NOTIFY_ON, notifyingNames.get(i))))
                    .flatMap(Function.identity())
                    .filter(missing -> !missing.name().isEmpty());
        }

        private FeedDeclaration.Membership declaredMembership(int i) {
            return declaration.access().memberships().get(i);
        }

        /** The embeds whose rows the catalogue does not identify by the declared columns. */
        private Stream<DoubtfulKey> doubtfulKeys() {
            return IntStream.range(0, embeddedTables.size()).boxed().flatMap(i -> {
                FeedDeclaration.Embed embed = declaration.embeds().get(i);
                List<String> names = List.copyOf(embed.on().keySet());
                return embeddedTables.get(i).stream()
                        .filter(other -> EmbedResolver.isDoubtful(other, names))
                        .map(other -> new DoubtfulKey(this, embed.name(), new TableColumnNames(other, names)));
            });
        }

        /** The declared expressions over the feed's own table. */
        private Stream<DerivedColumn> derivedColumns() {
            return table.stream().flatMap(own -> declaration.derived().entrySet().stream()
                    .map(derived ->
                            new DerivedColumn(this, new TableExpression(own, derived.getKey(), derived.getValue()))));
        }

        private void setDerived(TableExpression expression, Derivation derivation) {
            String property = DeclarationParser.DERIVED + '.' + expression.name();
            boolean isTaken = expression.table().find(expression.name()).isPresent();
            if (isTaken) {
                faults.add(
                        property,
                        "a derived column must not have the name of a column of "
                                + expression.table().sqlName());
            } else if (derivation.column().isEmpty()) {
                faults.add(property, derivation.fault());
            } else {
                table = table.map(
                        own -> own.withDerived(List.of(derivation.column().get())));
            }
        }

        private void resolve() {
            List<EmbeddedTable> embedded = IntStream.range(0, embeddedTables.size())
                    .mapToObj(i -> {
                        FeedDeclaration.Embed embed = declaration.embeds().get(i);
                        return new EmbeddedTable(
                                embed, embeddedTables.get(i), keyData.getOrDefault(embed.name(), KeyData.UNKNOWN));
                    })
                    .toList();
            foundNotifying().forEach(notifying -> FeedResolver.checkNotifies(notifying, faults));
            feed = table.flatMap(
                    found -> new FeedResolver(declaration, found, embedded, membershipTables, foundNotifying(), faults)
                            .resolve());
        }

        private List<Table> foundNotifying() {
            return notifyingTables.stream().flatMap(Optional::stream).toList();
        }

        /**
         * Records only the first rejected condition of each table: if the table cannot be read, the database rejects all
         * conditions.
         */
        private void reject(Source source, String property, String message) {
            if (rejectedSources.add(source.prefix())) {
                faults.add(source.prefix() + property, message);
            }
        }

        /** The feed, if no condition on its tables has been rejected. */
        private Optional<Feed> acceptedFeed() {
            return rejectedSources.isEmpty() ? feed : Optional.empty();
        }

        private void rejectStatement(String fault) {
            faults.add("table", fault);
            feed = Optional.empty();
        }

        private Stream<Source> sources() {
            return Stream.of(
                            table.stream()
                                    .map(own -> new Source(
                                            this,
                                            "",
                                            "table",
                                            own,
                                            declaration.visible().map(sql -> new DeclaredCondition("visible", sql)))),
                            IntStream.range(0, embeddedTables.size())
                                    .boxed()
                                    .flatMap(i -> embeddedTables.get(i).stream()
                                            .map(other -> new Source(
                                                    this,
                                                    declaration.embeds().get(i).property(""),
                                                    "table",
                                                    other,
                                                    Optional.empty()))),
                            IntStream.range(0, membershipTables.size())
                                    .boxed()
                                    .flatMap(i -> membershipTables.get(i).stream()
                                            .map(other -> new Source(
                                                    this,
                                                    declaredMembership(i).property(""),
                                                    "in",
                                                    other,
                                                    declaredMembership(i)
                                                            .condition()
                                                            .map(sql -> new DeclaredCondition("if", sql))))))
                    .flatMap(Function.identity());
        }

        private Optional<ResolvedFeed> result() {
            return acceptedFeed()
                    .map(built -> new ResolvedFeed(
                            declaration,
                            built,
                            table.orElseThrow(),
                            embeddedTables.stream().map(Optional::orElseThrow).toList(),
                            membershipTables.stream().map(Optional::orElseThrow).toList(),
                            foundNotifying()));
        }
    }

    private record DerivedColumn(Attempt attempt, TableExpression expression) {}

    private record DoubtfulKey(Attempt attempt, String embed, TableColumnNames columns) {}

    private record MissingTable(Attempt attempt, String property, String name) {

        /** @param nameFault why the database rejects the name; empty if no table or view has this name */
        void report(Optional<String> nameFault, List<String> readableRelations) {
            attempt.faults.add(
                    property,
                    nameFault
                            .map(fault -> "cannot be read: " + fault)
                            .orElseGet(() -> "there is no table or view '" + name + "'"
                                    + NearestName.hint(name, readableRelations)));
        }
    }

    /**
     * A table that the statements of a feed read: its own, or that of an embed or a membership.
     *
     * @param prefix the start of the names of its properties, such as {@code embed.author.}
     * @param tableProperty the end of the name of the property that names the table
     */
    private record Source(
            Attempt attempt, String prefix, String tableProperty, Table table, Optional<DeclaredCondition> condition) {}

    /** @param property the end of the name of the property that declares the condition */
    private record DeclaredCondition(String property, String sql) {}

    /**
     * A condition that the database must accept. If it rejects the condition, the property has a fault.
     *
     * @param message the start of the fault's message
     */
    private record Check(Source source, String property, String message, String condition) {
        TableCondition toCondition() {
            return new TableCondition(source.table(), condition);
        }
    }

    /** @return the feed of each attempt, in the same order; an empty element for an attempt with faults */
    Uni<List<Optional<ResolvedFeed>>> resolve(List<Attempt> attempts) {
        return catalogue
                .findTables(attempts.stream().flatMap(Attempt::tableNames).toList())
                .invoke(tables -> {
                    int next = 0;
                    for (Attempt attempt : attempts) {
                        int end = next + attempt.tableCount();
                        attempt.setTables(tables.subList(next, end));
                        next = end;
                    }
                })
                .chain(() -> reportMissing(
                        attempts.stream().flatMap(Attempt::missingTables).toList()))
                .chain(() -> inspectKeys(
                        attempts.stream().flatMap(Attempt::doubtfulKeys).toList()))
                .chain(() -> derive(
                        attempts.stream().flatMap(Attempt::derivedColumns).toList()))
                .invoke(() -> attempts.forEach(Attempt::resolve))
                .chain(() ->
                        runChecks(attempts.stream().flatMap(Attempt::sources).flatMap(DeclarationResolver::checks)))
                .chain(() -> checkStatements(attempts.stream()
                        .filter(attempt -> attempt.acceptedFeed().isPresent())
                        .toList()))
                .map(done -> attempts.stream().map(Attempt::result).toList());
    }

    private Uni<Void> derive(List<DerivedColumn> columns) {
        return columns.isEmpty()
                ? Uni.createFrom().voidItem()
                : catalogue
                        .derive(columns.stream().map(DerivedColumn::expression).toList())
                        .invoke(found -> {
                            for (int i = 0; i < columns.size(); i++) {
                                columns.get(i)
                                        .attempt()
                                        .setDerived(columns.get(i).expression(), found.get(i));
                            }
                        })
                        .replaceWithVoid();
    }

    private Uni<Void> inspectKeys(List<DoubtfulKey> keys) {
        return keys.isEmpty()
                ? Uni.createFrom().voidItem()
                : catalogue
                        .inspectKeys(keys.stream().map(DoubtfulKey::columns).toList())
                        .invoke(found -> {
                            for (int i = 0; i < keys.size(); i++) {
                                keys.get(i).attempt().keyData.put(keys.get(i).embed(), found.get(i));
                            }
                        })
                        .replaceWithVoid();
    }

    private Uni<Void> reportMissing(List<MissingTable> missing) {
        return missing.isEmpty()
                ? Uni.createFrom().voidItem()
                : Uni.combine()
                        .all()
                        .unis(
                                catalogue.checkNames(
                                        missing.stream().map(MissingTable::name).toList()),
                                catalogue.findReadableRelations())
                        .with((nameFaults, readable) -> {
                            for (int i = 0; i < missing.size(); i++) {
                                missing.get(i).report(nameFaults.get(i), readable);
                            }
                            return null;
                        });
    }

    private static Stream<Check> checks(Source source) {
        return Stream.concat(
                Stream.of(new Check(source, source.tableProperty(), "cannot be read: ", "true")),
                source.condition().stream()
                        .map(condition -> new Check(
                                source, condition.property(), "is not a valid condition: ", condition.sql())));
    }

    private Uni<Void> runChecks(Stream<Check> requested) {
        List<Check> checks = requested.toList();
        return catalogue
                .checkConditions(checks.stream().map(Check::toCondition).toList())
                .invoke(faults -> {
                    for (int i = 0; i < checks.size(); i++) {
                        Check check = checks.get(i);
                        faults.get(i).ifPresent(reason -> check.source()
                                .attempt()
                                .reject(check.source(), check.property(), check.message() + reason));
                    }
                })
                .replaceWithVoid();
    }

    /** Checks the privileges that the conditions do not need, such as those on single columns. */
    private Uni<Void> checkStatements(List<Attempt> accepted) {
        return catalogue
                .checkStatements(accepted.stream()
                        .flatMap(attempt -> attempt.acceptedFeed().stream())
                        .toList())
                .invoke(faults -> {
                    for (int i = 0; i < accepted.size(); i++) {
                        faults.get(i).ifPresent(accepted.get(i)::rejectStatement);
                    }
                })
                .replaceWithVoid();
    }
}
