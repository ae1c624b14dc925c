package dev.tidemark.propose;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.LooseEquality;
import dev.tidemark.naming.ColumnNames;
import dev.tidemark.propose.FeedDraft.DraftScope;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Chooses the scopes that could limit a feed to the caller's rows: by owner, by membership, and by tenant. */
final class ScopeDrafter {

    private final UsableColumns columns;
    private final TenantColumnFinder tenants;
    private final Memberships memberships;

    ScopeDrafter(UsableColumns columns, TenantColumnFinder tenants, Memberships memberships) {
        this.columns = columns;
        this.tenants = tenants;
        this.memberships = memberships;
    }

    /** Returns the scopes, the one to declare first: that of a membership, of an owner, or of a tenant. */
    List<DraftScope> scopes() {
        Set<String> owners = new LinkedHashSet<>();
        columns.all().stream()
                .filter(this::isOwner)
                .forEach(column -> owners.add(column.column().name()));
        List<DraftScope> scopes = new ArrayList<>(memberships.scopes(columns));
        owners.forEach(column -> scopes.add(new DraftScope(
                column,
                "\"claim:sub\"",
                "each caller sees only the rows whose " + column + " is the claim sub of the token")));
        tenants.find(columns).stream()
                .filter(column -> !owners.contains(column))
                .forEach(column -> {
                    String party = ColumnNames.withoutIdSuffix(column);
                    scopes.add(new DraftScope(
                            column,
                            YamlText.value("claim:" + party),
                            "each caller sees only the rows of the " + party + " in the token"));
                });
        return scopes;
    }

    private boolean isOwner(TableColumn column) {
        String name = column.column().name();
        return UsableColumns.isSortable(column)
                && !UsableColumns.isTime(column)
                && !LooseEquality.differentClaimsCanBeEqual(column.column())
                && (columns.facts(column)
                                .referencedTable()
                                .filter(ColumnNames::suggestsPeople)
                                .isPresent()
                        ? ColumnNames.suggestsOwnerAmongPeople(name)
                        : ColumnNames.suggestsOwner(name));
    }
}
