package dev.tidemark.declare;

import dev.tidemark.declare.FeedDeclaration.Membership;
import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Access;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.LooseEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Resolves the scope of a feed against its table and the tables of its memberships. Every mismatch is recorded as a
 * fault.
 */
final class ScopeResolver {

    private final Table table;
    private final TableColumns tableColumns;
    private final List<Column> key;
    private final Faults.FeedFaults faults;

    /**
     * @param table with the types that the database has, because a claim has the number of a time
     * @param key the key of the feed
     */
    ScopeResolver(Table table, TableColumns tableColumns, List<Column> key, Faults.FeedFaults faults) {
        this.table = table;
        this.tableColumns = tableColumns;
        this.key = key;
        this.faults = faults;
    }

    /**
     * @param claims the names of claims, by columns of the feed's own table
     * @return not all of them if there are faults
     */
    List<Access.ClaimScope> claims(Map<String, String> claims) {
        List<Access.ClaimScope> scope = new ArrayList<>();
        claims.forEach((name, claim) -> {
            String property = "scope." + name;
            tableColumns.find(property, name).ifPresent(found -> {
                checkEqualsClaim(property, found);
                scope.add(new Access.ClaimScope(FeedResolver.asKeyColumn(found.column(), key), claim));
            });
        });
        return scope;
    }

    private void checkEqualsClaim(String property, TableColumn found) {
        Column column = found.column();
        if (!column.type().isComparable()) {
            faults.add(property, "a column of type " + column.sqlType() + " cannot be compared with a claim");
        } else if (LooseEquality.differentClaimsCanBeEqual(column)) {
            faults.add(
                    property,
                    "different claims can equal one value of type " + column.sqlType()
                            + ", so a claim could match rows of other callers");
        } else if (!found.deterministic()) {
            faults.add(property, "has a nondeterministic collation, so a claim could match rows of other callers");
        }
    }

    /**
     * @param tables the table of each membership; an empty element if there is no such table, for which another fault
     *     is reported
     * @return not all of them if there are faults
     */
    List<Access.Membership> memberships(List<Membership> declared, List<Optional<Table>> tables) {
        List<Access.Membership> memberships = new ArrayList<>();
        for (int i = 0; i < declared.size(); i++) {
            Membership membership = declared.get(i);
            Optional<TableColumn> own = tableColumns.find("scope." + membership.column(), membership.column());
            tables.get(i).flatMap(other -> resolve(membership, own, other)).ifPresent(memberships::add);
        }
        return memberships;
    }

    private Optional<Access.Membership> resolve(Membership declared, Optional<TableColumn> own, Table other) {
        if (table.storage().shards().isPresent() || other.storage().shards().isPresent()) {
            faults.add(
                    declared.property("in"),
                    "a membership is not supported if its table or the table of the feed is distributed by Citus; use a"
                            + " view that joins them, with a scope by claim");
        }
        TableColumns otherColumns = new TableColumns(other, faults);
        List<Access.ClaimScope> where = new ArrayList<>();
        declared.where().forEach((name, claim) -> {
            String property = declared.property("where", name);
            otherColumns.find(property, name).ifPresent(found -> {
                checkEqualsClaim(property, found);
                where.add(new Access.ClaimScope(found.column(), claim));
            });
        });
        Optional<TableColumn> member = otherColumns.find(declared.property("in"), declared.member());
        if (own.isEmpty() || member.isEmpty()) {
            return Optional.empty();
        }
        checkComparable(declared, own.get(), member.get());
        return Optional.of(new Access.Membership(
                FeedResolver.asKeyColumn(own.get().column(), key),
                other.schema(),
                other.name(),
                member.get().column(),
                own.get().collation().filter(name -> !member.get().collation().equals(Optional.of(name))),
                where,
                declared.condition().map(sql -> new Access.RowCondition(sql, other.conditionColumns(sql)))));
    }

    private void checkComparable(Membership declared, TableColumn own, TableColumn member) {
        String ownType = own.column().sqlType();
        String memberType = member.column().sqlType();
        if (!own.column().type().isComparable() || !EmbedResolver.indexFinds(ownType, memberType)) {
            faults.add(
                    declared.property("in"),
                    "column '" + declared.column() + "' of type " + ownType + " cannot be compared with column '"
                            + declared.member() + "' of type " + memberType);
        } else if (!own.deterministic() || !member.deterministic()) {
            faults.add(
                    declared.property("in"),
                    "column '" + (own.deterministic() ? declared.member() : declared.column())
                            + "' has a nondeterministic collation, so a membership could match rows of others");
        }
    }
}
