package dev.tidemark.propose;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.naming.ColumnNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Recognizes tables and views that a feed must not show to everyone, by the words in the names of tables and columns.
 * A column that looks secret does not make the other columns of its table secret, because the feed leaves it out.
 */
final class Sensitivity {

    /** Parts of the names of tables that have secrets only if a column suggests it. A conference has sessions, too. */
    private static final Set<String> LOGINS = words("session login invit device");

    private static final Set<String> LOGIN_COLUMNS = words("data payload sess sessiondata loginid deviceid");

    private static final Set<String> PRIVATE_MESSAGES = words(
            "privatemessage privatemail privatechat privateconversation directmessage directmail directchat "
                    + "directconversation personalmessage personalmail pm dm dmail draft scheduledpost scheduledmessage");

    private static final Set<String> RECIPIENT_COLUMNS =
            words("recipientid receiverid addresseeid toid touserid topersonid");

    /** The columns of messages and notifications that are addressed to somebody. */
    private static final Set<String> MESSAGE_COLUMNS =
            words("body content message text read isread readat seen isseen seenat");

    private static final Set<String> CONFIGURATION =
            words("configuration config setting preference keyvalue featureflag ratelimit");

    private static final Set<String> NAME_COLUMNS = words("key pkey name var variable");
    private static final Set<String> VALUE_COLUMNS = words("value pvalue val");

    /** Persons who are no authors: they did not choose to be seen. What is addressed to persons is about them, too. */
    private static final Set<String> PERSONS = words(
            "customer client patient employee staff personnel applicant candidate student pupil resident passenger "
                    + "guest donor beneficiary contact lead "
                    + "kunde kunden mitarbeiter patientin patienten bewerber schueler mieter gast gaeste teilnehmer "
                    + "mitglied mitglieder benutzer nutzer anwender personal "
                    + "salarie employe utilisateur adherent eleve locataire "
                    + "cliente empleado paciente usuario alumno socio "
                    + "dipendente dipendenti paziente pazienti utente utenti clienti soci "
                    + "funcionario klant klanten medewerker gebruiker leden "
                    + "notification mention benachrichtigung benachrichtigungen notificacion notifica notifiche");

    /** What a person did or got, if a column refers to one. */
    private static final Set<String> ACTIONS = words(
            "vote like reaction favorite favourite bookmark application session login loginattempt audit auditlog "
                    + "report complaint appeal read hide hidden saved save block mute ban "
                    + "stimme stimmen bewerbung bewerbungen sitzung sitzungen anmeldung anmeldungen beschwerde "
                    + "beschwerden candidature plainte voto solicitud sesion queja denuncia voti");

    /** Columns that identify a person who is no owner of the row. */
    private static final Set<String> PERSON_COLUMNS = words(
            "actor voter visitor customer client patient employee student applicant candidate subscriber follower "
                    + "kunde kunden klant cliente paciente");

    /** Where a person can be reached, and when they were born. */
    private static final Set<String> PERSONAL_COLUMNS =
            words("email mail mailaddress emailaddress useremail contactemail courriel correo epost "
                    + "phone telephone phonenumber cellphone contactphone mobile tel telefon telefonnummer téléphone "
                    + "telefono teléfono telefone telefoon handy handynummer mobil mobilnummer móvil movil celular "
                    + "ip ipaddr ipaddress remoteaddr "
                    + "shippingaddress billingaddress deliveryaddress homeaddress streetaddress mailingaddress "
                    + "postaladdress lieferadresse rechnungsadresse wohnadresse postadresse privatadresse anschrift "
                    + "livraison facturation direccion indirizzo "
                    + "birth birthdate birthday dob geburtsdatum geburtstag naissance nacimiento nascita nascimento");

    /** The last words of the names of columns that say something about an address, and have none. */
    private static final Set<String> ABOUT_ADDRESS =
            words("count type kind status state verified enabled subject body html template setting preference option "
                    + "frequency digest id");

    private static final Set<ColumnType> PERSONAL_TYPES = Set.of(
            Scalar.TEXT,
            Scalar.JSON,
            Scalar.OTHER,
            Scalar.SMALLINT,
            Scalar.INTEGER,
            Scalar.BIGINT,
            Scalar.NUMERIC,
            Scalar.DATE);

    private Sensitivity() {}

    private static Set<String> words(String separatedBySpaces) {
        return Set.of(separatedBySpaces.split(" "));
    }

    /** Returns what the relation seems to hold, such as {@code personal data (email)}; empty if it looks harmless. */
    static Optional<String> find(RelationFacts relation) {
        String name = relation.table().name();
        List<String> key = relation.table().primaryKey();
        if (ColumnNames.suggestsSecretRows(name)
                || key.stream().anyMatch(ColumnNames::suggestsSecretRows)
                || hasPart(name, LOGINS) && hasSecretColumn(relation)) {
            return Optional.of("secrets or tokens");
        } else if (hasWord(name, PRIVATE_MESSAGES)
                || has(relation, RECIPIENT_COLUMNS) && has(relation, MESSAGE_COLUMNS)) {
            return Optional.of("private messages");
        } else if (endsWith(name, CONFIGURATION)
                || key.stream().anyMatch(column -> NAME_COLUMNS.contains(letters(column)))
                        && has(relation, VALUE_COLUMNS)) {
            return Optional.of("configuration");
        }
        String personal = readable(relation)
                .filter(column -> isPersonal(relation, column))
                .map(Column::name)
                .collect(Collectors.joining(", "));
        return personal.isEmpty()
                ? Optional.of("data of persons").filter(content -> isAboutPersons(relation))
                : Optional.of("personal data (" + personal + ")");
    }

    /** Whether the name of a table alone suggests that not everyone may see its rows. */
    static boolean isSuggestedByName(String table) {
        return ColumnNames.suggestsSecretRows(table)
                || hasWord(table, PRIVATE_MESSAGES)
                || endsWith(table, CONFIGURATION)
                || isOfPersons(table);
    }

    /** The id of a session says no more than the name of the table. */
    private static boolean hasSecretColumn(RelationFacts relation) {
        return relation.columns().keySet().stream()
                .filter(column -> !letters(column).equals("sessionid"))
                .anyMatch(column -> ColumnNames.suggestsSecret(column) || LOGIN_COLUMNS.contains(letters(column)));
    }

    private static boolean isPersonal(RelationFacts relation, Column column) {
        return PERSONAL_TYPES.contains(column.type() instanceof ArrayType array ? array.element() : column.type())
                && !relation.column(column.name()).inForeignKey()
                && hasWord(column.name(), PERSONAL_COLUMNS)
                && !endsWith(column.name(), ABOUT_ADDRESS);
    }

    private static boolean isAboutPersons(RelationFacts relation) {
        return isOfPersons(relation.table().name())
                || has(relation, Set.of("voter", "voterid"))
                || endsWith(relation.table().name(), ACTIONS)
                        && readable(relation)
                                .anyMatch(column -> Memberships.isPerson(relation, column.name())
                                        || PERSON_COLUMNS.contains(
                                                letters(column.name()).replaceFirst("id$", "")));
    }

    /** Whether each row is about a person; one of {@code sales_by_customer} is about several. */
    private static boolean isOfPersons(String table) {
        List<String> words = ColumnNames.words(table);
        return (endsWith(table, PERSONS) || endsWith(table, PERSONAL_COLUMNS))
                && !words.contains("by")
                && !words.contains("per");
    }

    private static Stream<Column> readable(RelationFacts relation) {
        return relation.table().columns().stream()
                .map(TableColumn::column)
                .filter(column -> relation.column(column.name()).readable());
    }

    private static boolean has(RelationFacts relation, Set<String> names) {
        return readable(relation).anyMatch(column -> names.contains(letters(column.name())));
    }

    private static String letters(String name) {
        return String.join("", ColumnNames.words(name)).replaceAll("\\P{L}", "");
    }

    private static boolean hasPart(String name, Set<String> parts) {
        return parts.stream().anyMatch(letters(name)::contains);
    }

    /**
     * Whether the name has one of the words, in the singular or the plural; up to three neighbours can be one word.
     */
    private static boolean hasWord(String name, Set<String> words) {
        return ColumnNames.neighbours(ColumnNames.words(name)).anyMatch(each -> isOneOf(words, each));
    }

    private static boolean endsWith(String name, Set<String> words) {
        return endsWith(ColumnNames.words(name), words);
    }

    private static boolean endsWith(List<String> name, Set<String> words) {
        return IntStream.rangeClosed(1, Math.min(3, name.size()))
                .mapToObj(length -> String.join("", name.subList(name.size() - length, name.size())))
                .anyMatch(last -> isOneOf(words, last));
    }

    private static boolean isOneOf(Set<String> words, String word) {
        return words.contains(word)
                || words.contains(word.replaceFirst("e?s$", ""))
                || words.contains(word.replaceFirst("s$", ""));
    }
}
