package dev.tidemark.propose;

import dev.tidemark.declare.Table.TableColumn;
import dev.tidemark.feed.Column;
import dev.tidemark.feed.ColumnType;
import dev.tidemark.feed.ColumnType.ArrayType;
import dev.tidemark.feed.ColumnType.Scalar;
import dev.tidemark.naming.ColumnNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Recognizes tables and views that a feed must not show to everyone, by the names of tables and columns. A column that
 * looks secret does not make the other columns of its table secret, because the feed leaves it out.
 */
final class Sensitivity {

    private static final Pattern SECRETS = Pattern.compile(
            "token|secret|credential|passw|passphrase|apikey|oauth|captcha"
                    + "|verification|webhook|privatekey|(onetime|recovery|invite|invitation|upgrade|license)(code|key)s?$|(^|[a-z])otps?$");

    /** Names of tables that have secrets only if their columns suggest it. A conference has sessions, too. */
    private static final Pattern LOGINS = Pattern.compile("session|login|invit|device");

    private static final Pattern STORED_SESSION = Pattern.compile("data|payload|sess|sessiondata|loginid|deviceid");

    private static final Pattern PRIVATE_MESSAGES = Pattern.compile(
            "(private|direct|personal)(message|mail|chat|conversation)|^(pm|dm|dmail|draft|scheduledpost|scheduledmessage)s?$");

    private static final Pattern CONFIGURATION =
            Pattern.compile("configurations?$|configurationfiles?$|^configs?$|[a-z]configs?$|settings?$|preferences?$"
                    + "|keyvalue|featureflags?$|ratelimits?$");

    private static final Pattern NAME_COLUMN = Pattern.compile("p?key|name|var|variable");
    private static final Pattern VALUE_COLUMN = Pattern.compile("p?value|val");

    private static final Pattern RECIPIENT_COLUMN =
            Pattern.compile("(recipient|receiver|addressee|to(user|person)?)id");
    private static final Pattern BODY_COLUMN = Pattern.compile("body|content|message|text");

    /** The last words of names of tables of persons who are no authors: they did not choose to be seen. */
    private static final Set<String> PERSONS =
            words("customer client patient employee staff personnel applicant candidate"
                    + " student pupil resident passenger guest donor beneficiary contact lead"
                    + " kunde kunden mitarbeiter patientin patienten bewerber schueler mieter gast gaeste teilnehmer mitglied mitglieder"
                    + " benutzer nutzer anwender personal"
                    + " salarie employe utilisateur adherent eleve locataire"
                    + " cliente empleado paciente usuario alumno socio"
                    + " dipendente dipendenti paziente pazienti utente utenti clienti socio soci"
                    + " funcionario klant klanten medewerker gebruiker leden");

    /** Names of tables with what persons did or got. Their rows say something about a person, so they refer to one. */
    private static final Pattern PERSONAL =
            Pattern.compile("(votes?|likes?|reactions?|favou?rites?|bookmarks?|stimmen?|votos?|voti)$"
                    + "|(?<notifications>((notification|mention)s?|benachrichtigung(en)?|notificacion(es)?|notific(a|he))$)"
                    + "|(?<applications>(applications?|bewerbung(en)?|candidatures?|solicitud(es)?)$)"
                    + "|(?<sessions>(session|login|loginattempt|audit|auditlog|sitzung|sitzungen|anmeldung|anmeldungen|sesion|sesiones)s?$)"
                    + "|(?<reports>(report|complaint|appeal|beschwerden?|plainte|queja|denuncia)s?$)");

    /** Columns that identify a person who is no owner of the row. */
    private static final Pattern PERSON_COLUMN = Pattern.compile(
            "(actor|voter|visitor|customer|client|patient|employee|student|applicant|candidate|subscriber|follower"
                    + "|kunden?|klant|cliente|paciente)(id)?");

    private static final Pattern VOTER_COLUMN = Pattern.compile("voter(id)?");

    /** The last words of such names, which are also the ends of other words. */
    private static final Set<String> PERSONAL_WORDS = Set.of(
            "read", "reads", "hide", "hides", "hidden", "saved", "saves", "block", "blocks", "mute", "mutes", "ban",
            "bans");

    private static final Pattern READ_COLUMN = Pattern.compile("(is)?(read|seen)(at|on)?");

    private static final Pattern CONTACTS = Pattern.compile("(email|mail)address(es)?$|emails?$|phonenumbers?$");

    private static final Pattern MAIL_ADDRESS = Pattern.compile(
            "e_?mails?(addr(ess(es)?|esse)?)?(_|$)|(^|_)mails?(_?address(es)?|_?adresse)?$"
                    + "|(^|_)(courriels?|correo(_electr[oó]nico)?|e_?post(adress)?)(_|$)|adresse_(mail|[eé]lectronique)");
    private static final Pattern PHONE_NUMBER = Pattern.compile(
            "(^|_)(tele|cell|mobile|home|work|business|contact)?phones?(no|num|numbers?)?(_|$)|^mobile(_n(o|umber))?$"
                    + "|(^|_)(tel|t[eé]l[eé]phone|tel[eé]fono|telefone?|telefoon(nummer)?|telefonnummer|mobil(nummer|telefon)|handy(nummer)?"
                    + "|m[oó]vil|celular)(_|$)");
    private static final Pattern POSTAL_ADDRESS = Pattern.compile(
            "(^|_)(ship(ping|_to)?|billing|delivery|home|street|mailing|postal|residential)_?addr(ess)?(_|$)"
                    + "|(liefer|rechnungs|wohn|post|privat|versand)(adresse|anschrift)(_|$)|(^|_)anschrift(_|$)"
                    + "|adresse_(de_)?(livraison|facturation)|direccion_(de_)?(envio|facturacion|entrega)|(^|_)indirizzo(_|$)");
    private static final Pattern BIRTH = Pattern.compile(
            "(^|_)(birth_?(date|day)|date_of_birth|dob|geburts(datum|tag)|(date_(de_)?)?naissance|(fecha_(de_)?)?nacimiento"
                    + "|(data_(di_|de_)?)?(nascita|nascimento)|geboortedatum)(_|$)");
    private static final Pattern IP_ADDRESS =
            Pattern.compile("(^|_)(last|client|remote|user)?ips?(addr(ess(es)?)?)?(_|$)|(^|_)remote_?addr(ess)?$");

    /** The last words of names of columns that say something about an address, and have none. */
    private static final Pattern ABOUT_ADDRESS = Pattern.compile(
            "_(counts?|types?|kind|status|state|verified|enabled|subject|body|html|template|settings|preferences"
                    + "|options|frequency|digest|id)$");

    private static final Set<ColumnType> NUMBERS =
            Set.of(Scalar.SMALLINT, Scalar.INTEGER, Scalar.BIGINT, Scalar.NUMERIC);
    private static final Set<ColumnType> TEXTS = Set.of(Scalar.TEXT, Scalar.JSON, Scalar.OTHER);

    private Sensitivity() {}

    /** Returns what the relation seems to hold, such as {@code mail addresses (email)}; empty if it looks harmless. */
    static Optional<String> find(RelationFacts relation) {
        String name = letters(relation.table().name());
        if (SECRETS.matcher(name).find()
                || relation.table().primaryKey().stream()
                        .anyMatch(column -> SECRETS.matcher(letters(column)).find())
                || LOGINS.matcher(name).find() && hasSecretColumn(relation)) {
            return Optional.of("secrets or tokens");
        }
        if (PRIVATE_MESSAGES.matcher(name).find() || isAddressed(relation)) {
            return Optional.of("private messages");
        }
        if (CONFIGURATION.matcher(name).find() || isKeyValueTable(relation)) {
            return Optional.of("configuration");
        }
        if (CONTACTS.matcher(name).find()) {
            return Optional.of("mail addresses or phone numbers");
        }
        return addresses(relation, MAIL_ADDRESS, false)
                .map(columns -> "mail addresses" + columns)
                .or(() -> addresses(relation, PHONE_NUMBER, true).map(columns -> "phone numbers" + columns))
                .or(() -> addresses(relation, IP_ADDRESS, true).map(columns -> "IP addresses" + columns))
                .or(() -> addresses(relation, POSTAL_ADDRESS, false).map(columns -> "postal addresses" + columns))
                .or(() -> names(relation, BIRTH, type -> type == Scalar.DATE || canBeAddress(type, false))
                        .map(columns -> "dates of birth" + columns))
                .or(() -> aboutPersons(relation));
    }

    private static Optional<String> aboutPersons(RelationFacts relation) {
        boolean hasPerson = has(relation, PERSON_COLUMN, false)
                || readable(relation).stream()
                        .map(column -> column.column().name())
                        .anyMatch(column -> Memberships.isPerson(relation, column));
        String name = relation.table().name();
        List<String> words = ColumnNames.words(name);
        Matcher personal = PERSONAL.matcher(letters(name));
        boolean isPersonal = personal.find();
        if (isOfPersons(words)) {
            return Optional.of("data of persons");
        } else if (has(relation, VOTER_COLUMN, false)) {
            return Optional.of("votes of persons");
        }
        if (isPersonal && personal.group("notifications") != null
                || hasPerson && has(relation, RECIPIENT_COLUMN, false) && has(relation, READ_COLUMN, false)) {
            return Optional.of("notifications of persons");
        } else if (!hasPerson) {
            return Optional.empty();
        } else if (!isPersonal) {
            return !words.isEmpty() && PERSONAL_WORDS.contains(words.get(words.size() - 1))
                    ? Optional.of("what persons read, saved, or blocked")
                    : Optional.empty();
        }
        return Stream.of("applications", "sessions", "reports")
                .filter(group -> personal.group(group) != null)
                .findFirst()
                .or(() -> Optional.of("votes"))
                .map(kind -> kind + " of persons");
    }

    /** Whether each row is about a person; one of {@code sales_by_customer} is about several. */
    private static boolean isOfPersons(List<String> words) {
        String last = words.isEmpty() ? "" : words.get(words.size() - 1);
        return !words.contains("by")
                && !words.contains("per")
                && (PERSONS.contains(last)
                        || last.endsWith("s") && PERSONS.contains(last.substring(0, last.length() - 1)));
    }

    private static Set<String> words(String separatedBySpaces) {
        return Stream.of(separatedBySpaces.split(" ")).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether the name of a table suggests that it holds secrets, private messages, configuration, addresses, or data of
     * persons.
     */
    static boolean isSuggestedByName(String table) {
        String name = letters(table);
        return SECRETS.matcher(name).find()
                || PRIVATE_MESSAGES.matcher(name).find()
                || CONFIGURATION.matcher(name).find()
                || CONTACTS.matcher(name).find()
                || isOfPersons(ColumnNames.words(table));
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}]", "");
    }

    private static List<TableColumn> readable(RelationFacts relation) {
        return relation.table().columns().stream()
                .filter(column -> relation.column(column.column().name()).readable())
                .toList();
    }

    private static boolean hasSecretColumn(RelationFacts relation) {
        return relation.table().columns().stream()
                .map(column -> column.column().name())
                .anyMatch(column -> ColumnNames.suggestsSecret(column)
                        || STORED_SESSION.matcher(letters(column)).matches());
    }

    private static boolean has(RelationFacts relation, Pattern name, boolean isText) {
        return readable(relation).stream()
                .anyMatch(
                        column -> name.matcher(letters(column.column().name())).matches()
                                && (!isText || column.column().type() == Scalar.TEXT));
    }

    private static boolean isAddressed(RelationFacts relation) {
        return has(relation, RECIPIENT_COLUMN, false) && has(relation, BODY_COLUMN, true);
    }

    /** Whether each row is a named value, and the name, perhaps with an owner, is the key. */
    private static boolean isKeyValueTable(RelationFacts relation) {
        List<String> key = relation.table().primaryKey();
        return key.stream()
                        .anyMatch(column -> NAME_COLUMN.matcher(letters(column)).matches())
                && has(relation, VALUE_COLUMN, false);
    }

    /**
     * Returns the names of the columns that can have addresses and whose names match, in parentheses.
     *
     * @param isNumberPossible whether an address can be a number
     */
    private static Optional<String> addresses(RelationFacts relation, Pattern pattern, boolean isNumberPossible) {
        return names(relation, pattern, type -> canBeAddress(type, isNumberPossible));
    }

    private static Optional<String> names(RelationFacts relation, Pattern pattern, Predicate<ColumnType> isPossible) {
        List<String> names = readable(relation).stream()
                .map(TableColumn::column)
                .filter(column -> isPossible.test(column.type())
                        && !relation.column(column.name()).inForeignKey())
                .map(Column::name)
                .filter(name -> {
                    String words = String.join("_", ColumnNames.words(name));
                    return pattern.matcher(words).find()
                            && !ABOUT_ADDRESS.matcher(words).find();
                })
                .toList();
        return names.isEmpty() ? Optional.empty() : Optional.of(" (" + String.join(", ", names) + ")");
    }

    private static boolean canBeAddress(ColumnType type, boolean isNumberPossible) {
        return type instanceof ArrayType array
                ? canBeAddress(array.element(), isNumberPossible)
                : TEXTS.contains(type) || isNumberPossible && NUMBERS.contains(type);
    }
}
