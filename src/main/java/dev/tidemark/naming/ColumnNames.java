package dev.tidemark.naming;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Guesses from the name of a column what its values mean, and from the name of a table what its rows are. */
public final class ColumnNames {

    private static final Pattern WORD_BOUNDARY = Pattern.compile("[^\\p{L}\\p{N}]+|(?<=\\p{Ll})(?=\\p{Lu})");

    /** Parts of the names of columns and tables with secrets, without what separates their words. */
    private static final Set<String> SECRET_PARTS =
            wordSet("passw passphrase kennwort geheim wachtwoord motdepasse contrasena contraseña senha secret token "
                    + "credential cookie webhook hookurl hookuri callbackurl callbackuri apikey privatekey accesskey "
                    + "encryptionkey signingkey masterkey sessionkey licensekey sshkey cardnumber accountnumber resetcode "
                    + "recoverycode verificationcode activationcode authcode jwt securityanswer socialsecurity "
                    + "driverlicen driverslicen drivinglicen");

    /** Such parts of the names of tables, in addition. */
    private static final Set<String> SECRET_TABLE_PARTS =
            wordSet("oauth captcha verification invitecode invitationcode upgradecode licensecode onetimecode");

    private static final Set<String> SECRET_TABLE_ENDS = wordSet("otp otps totp totps");

    /** The beginnings of words that contain a word for a secret, and mean something else. */
    private static final Set<String> NO_SECRETS = wordSet("secretary secretari tokeniz tokenis");

    /** The last words of names of columns that say something about a secret, and do not contain it. */
    private static final Set<String> ABOUT_SECRET = wordSet("count required enabled version");

    /** The last words of names of columns with times. */
    private static final Set<String> TIME_WORDS =
            wordSet("at on time date datetime ts timestamp stamp epoch when created updated modified edited changed "
                    + "deleted removed inserted published posted seen expires expiry expired");

    /** Names of times that do not separate their words, such as {@code createat} and {@code timemodified}. */
    private static final Pattern JOINED_TIME = Pattern.compile(
            "(create|creation|update|modification|expiration|delete|remove|edit|modify|modified|insert|publish|post|send|sent|view|seen"
                    + "|activity|active|access|login|sync|ping|start|end|join|archive|expire|reply|comment"
                    + "|message)(d|s|ed)?(at|on|time|date|ts)$|^last\\p{L}{3,}(at|on)$"
                    + "|^time(created|updated|modified|deleted)$|timestamp$");

    private static final Set<String> TIME_UNITS = wordSet("s sec secs seconds us micros microseconds");

    private static final Set<String> MILLISECONDS = wordSet("ms millis milliseconds");

    /** Words in the names of columns with secrets. Up to three neighbours can be one word. */
    private static final Set<String> SECRET_WORDS = wordSet(
            "pwd pw pass hash hashed salt digest otp totp mfa pin cvv cvc ssn iban signature mdp dni nif cpf bsn "
                    + "bearer sessionid pgpkey gpgkey ccnumber taxid nationalid passport bankaccount routingnumber");

    /** The ends of names of columns with values that were computed from secrets. */
    private static final Set<String> SECRET_ENDS = wordSet("hash hashed salt digest");

    /**
     * Words in the names of columns with the time of the last edit. {@link #suggestsEdit} also recognizes names such
     * as {@code updatedat}, which do not separate their words.
     */
    private static final Set<String> EDIT_WORDS =
            wordSet("updated update updateat modified modify changed edited editat touched modification");

    private static final Set<String> DELETION_WORDS = wordSet("deleted delete deleteat removed trashed deletion");

    /** The first words of names of columns that contain the id of a tenant. */
    private static final Set<String> TENANT_WORDS =
            wordSet("tenant organization organisation org workspace company account");

    /** Words for parties whose rows other parties must not see. */
    private static final Set<String> PARTY_WORDS =
            wordSet("tenant organization organisation org workspace company companies account customer client "
                    + "merchant store shop user member");

    private static final Set<String> CREATION_WORDS =
            wordSet("created create createat creation inserted added registered joined recorded logged received");

    private static final Set<String> EVENT_WORDS =
            wordSet("placed posted published sent occurred happened started hired hire issued submitted opened "
                    + "paid ordered at date time timestamp ts when");

    /** Words for times that can be in the future, can be missing, or do not reflect the order of insertion. */
    private static final Set<String> OTHER_TIME_WORDS =
            wordSet("birth birthday birthdate born dob expire expires expired expiry expiration due until end "
                    + "ends ended valid required return returned next scheduled retry deadline effective login seen "
                    + "shipped delivered cancelled canceled closed resolved completed finished archived last");

    /** Words in the names of columns that contain what people call a person or a thing, or a picture of it. */
    private static final Set<String> LABEL_WORDS =
            wordSet("name title label slug handle username displayname nickname firstname lastname fullname surname "
                    + "avatar icon color colour");

    /** Words in the names of columns with values that are more personal than a name. */
    private static final Set<String> CONTACT_WORDS =
            wordSet("email mail phone mobile fax address street birth ip host file domain");

    /** Words in the names of columns with texts of any length, even if the present ones are few and short. */
    private static final Set<String> TEXT_WORDS =
            wordSet("text body content contents message subject description desc summary excerpt comment comments note "
                    + "notes bio about url uri href link path query reason error agent address html markdown json xml "
                    + "signature author publisher artist composer editor source label tags keywords");

    private static final Set<String> IDENTIFIER_WORDS = wordSet("id uuid guid key");

    /** Words for the person that a row belongs to: who wrote it, or to whom it is addressed. */
    private static final Set<String> OWNER_WORDS =
            wordSet("user person creator author owner recipient receiver addressee sender poster uploader submitter "
                    + "reporter requester assignee "
                    + "benutzer nutzer mitglied autor verfasser ersteller besitzer empfaenger absender "
                    + "utilisateur auteur destinataire usuario propietario utente autore gebruiker");

    /** Words that name the owner of a row only if the column refers to a table of people. */
    private static final Set<String> PREPOSITIONS = wordSet("to from by");

    private static final Pattern OWNER_PHRASE = Pattern.compile(
            "(created|owned|posted|uploaded|submitted|reported|requested|written|sent)_by(_id)?|assigned_to(_id)?");

    private static final Set<String> PEOPLE_WORDS =
            wordSet("user users person persons people benutzer nutzer mitglied mitglieder utilisateur utilisateurs "
                    + "usuario usuarios utente utenti gebruiker gebruikers");

    private static final Pattern MEMBERS = Pattern.compile(
            "(member|membership|participant|participation|subscriber|subscription|follower|follow|enrollment|enrolment"
                    + "|attendee|collaborator)s?$");

    /** The last words of names of columns with a number of comments or the like, by which lists are often sorted. */
    private static final Set<String> REPLY_WORDS = wordSet("comments replies answers messages posts");

    private static final Set<String> COUNT_WORDS = wordSet("count num total number");

    private static final Set<String> APPROVAL_WORDS =
            wordSet("score points likes upvotes votes favorites favourites stars reactions claps karma");

    private static final Set<String> REACH_WORDS =
            wordSet("views reads hits downloads plays shares followers subscribers members rank popularity");

    private ColumnNames() {}

    private static Set<String> wordSet(String words) {
        return Set.of(words.split(" "));
    }

    /** Returns the words of a name, in lower case. */
    public static List<String> words(String name) {
        return Stream.of(WORD_BOUNDARY.split(name))
                .filter(word -> !word.isEmpty())
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
    }

    private static String lastWord(String name) {
        List<String> words = words(name);
        return words.isEmpty() ? "" : words.get(words.size() - 1);
    }

    /** Returns whether the column may contain a secret. No feed is proposed that shows it. */
    public static boolean suggestsSecret(String name) {
        List<String> words = words(name);
        return !ABOUT_SECRET.contains(lastWord(name))
                && !isTimeWord(lastWord(name))
                && (hasSecretPart(name)
                        || neighbours(words).anyMatch(SECRET_WORDS::contains)
                        || SECRET_ENDS.stream().anyMatch(String.join("", words)::endsWith));
    }

    /** Returns whether the rows of a table with this name, or with a key of this name, may contain secrets. */
    public static boolean suggestsSecretRows(String name) {
        String joined = String.join("", words(name));
        return hasSecretPart(name)
                || SECRET_TABLE_PARTS.stream().anyMatch(joined::contains)
                || SECRET_TABLE_ENDS.contains(lastWord(name));
    }

    private static boolean hasSecretPart(String name) {
        String joined = words(name).stream()
                .filter(word -> NO_SECRETS.stream().noneMatch(word::startsWith))
                .collect(Collectors.joining());
        return SECRET_PARTS.stream().anyMatch(joined::contains);
    }

    /** Returns each word, and what each two and three neighbours are without what separates them. */
    public static Stream<String> neighbours(List<String> words) {
        return IntStream.range(0, words.size()).boxed().flatMap(start -> IntStream.rangeClosed(
                        start + 1, Math.min(start + 3, words.size()))
                .mapToObj(end -> String.join("", words.subList(start, end))));
    }

    /** Returns whether values of the column can be shown beside another row to say which row it refers to. */
    public static boolean suggestsLabel(String name) {
        List<String> words = words(name);
        return words.stream().anyMatch(LABEL_WORDS::contains)
                && words.stream().noneMatch(CONTACT_WORDS::contains)
                && !suggestsSecret(name);
    }

    /** Returns whether people write what the column contains, so that a longer text can come at any time. */
    public static boolean suggestsFreeText(String name) {
        List<String> words = words(name);
        return suggestsLabel(name)
                || suggestsOwner(name)
                || words.stream().anyMatch(word -> TEXT_WORDS.contains(word) || OWNER_WORDS.contains(word));
    }

    /**
     * Returns whether whole numbers in the column can be times: the last word says so, or it is a unit. After
     * {@code ms} any word can stand; {@code us} and {@code s} mean something else, too, so they must follow a word for
     * an event.
     */
    public static boolean suggestsTime(String name) {
        List<String> words = words(name);
        String last = lastWord(name);
        if (words.size() > 1 && TIME_UNITS.contains(last)) {
            String event = words.get(words.size() - 2);
            return isTimeWord(event) || EVENT_WORDS.contains(event) || CREATION_WORDS.contains(event);
        }
        return isTimeWord(last) || words.size() > 1 && MILLISECONDS.contains(last);
    }

    private static boolean isTimeWord(String word) {
        return TIME_WORDS.contains(word) || JOINED_TIME.matcher(word).find();
    }

    public static boolean suggestsEdit(String name) {
        return words(name).stream()
                .anyMatch(word -> EDIT_WORDS.contains(word) || word.contains("updated") || word.contains("modified"));
    }

    public static boolean suggestsDeletion(String name) {
        return words(name).stream().anyMatch(DELETION_WORDS::contains);
    }

    public static boolean suggestsTenant(String name) {
        List<String> words = words(name);
        return !words.isEmpty()
                && TENANT_WORDS.contains(words.get(0))
                && (words.size() == 1 || words.size() == 2 && suggestsIdentifier(name));
    }

    /**
     * Returns whether the name of a table suggests that the table contains tenants, users, or other parties that own
     * rows of other tables.
     */
    public static boolean suggestsParties(String table) {
        String last = lastWord(table);
        return PARTY_WORDS.contains(last)
                || last.endsWith("s") && PARTY_WORDS.contains(last.substring(0, last.length() - 1));
    }

    /**
     * Returns what a column with this name identifies: the words of the name without a last word such as {@code id}.
     */
    public static String withoutIdSuffix(String name) {
        List<String> words = words(name);
        return words.size() > 1 && suggestsIdentifier(name)
                ? String.join("_", words.subList(0, words.size() - 1))
                : String.join("_", words);
    }

    /** Returns whether the name suggests that the column identifies the person that a row belongs to. */
    public static boolean suggestsOwner(String name) {
        List<String> words = identifiedWords(name);
        return words.size() == 1 && OWNER_WORDS.contains(words.get(0))
                || words.size() == 2
                        && PEOPLE_WORDS.contains(words.get(1))
                        && (OWNER_WORDS.contains(words.get(0)) || words.get(0).equals("local"))
                || OWNER_PHRASE.matcher(String.join("_", words(name))).matches();
    }

    /** Like {@link #suggestsOwner}, for a column that refers to a table of people. */
    public static boolean suggestsOwnerAmongPeople(String name) {
        List<String> words = identifiedWords(name);
        return suggestsOwner(name) || words.size() == 1 && PREPOSITIONS.contains(words.get(0));
    }

    /** Returns whether the rows of a table with this name are people. */
    public static boolean suggestsPeople(String table) {
        List<String> words = words(table);
        return words.size() == 1 && PEOPLE_WORDS.contains(words.get(0));
    }

    /** Returns whether each row of a table with this name makes a person a member of something. */
    public static boolean suggestsMembership(String table) {
        List<String> words = words(table);
        return MEMBERS.matcher(String.join("", words)).find()
                || words.size() > 1 && PEOPLE_WORDS.contains(words.get(words.size() - 1));
    }

    /**
     * Returns how likely clients are to sort by a number with this name, highest first: 3 for a number of comments, 2
     * for a score, 1 for a number of views or the like, 0 for another number.
     */
    public static int rankingScore(String name) {
        List<String> words = new ArrayList<>(words(name));
        boolean isCount = words.removeAll(COUNT_WORDS);
        if (words.size() != 1) {
            return 0;
        }
        String word = words.get(0);
        String plural = word.endsWith("y") ? word.substring(0, word.length() - 1) + "ies" : word + "s";
        boolean isNumber = isCount
                || word.endsWith("s")
                || Set.of("score", "rank", "karma", "popularity").contains(word);
        return !isNumber
                ? 0
                : hasWord(REPLY_WORDS, word, plural)
                        ? 3
                        : hasWord(APPROVAL_WORDS, word, plural) ? 2 : hasWord(REACH_WORDS, word, plural) ? 1 : 0;
    }

    private static boolean hasWord(Set<String> words, String singular, String plural) {
        return words.contains(singular) || words.contains(plural);
    }

    /**
     * Returns the words of what a column with this name identifies: those before {@code id}, also if nothing separates
     * them, as in {@code userid}. Empty if the name does not end like that of an identifier.
     */
    public static List<String> identifiedWords(String name) {
        List<String> words = words(name);
        String last = lastWord(name);
        if (words.size() > 1 && IDENTIFIER_WORDS.contains(last)) {
            return words.subList(0, words.size() - 1);
        }
        if (words.size() == 1 && last.length() > 2 && last.endsWith("id")) {
            return List.of(last.substring(0, last.length() - 2));
        }
        return List.of();
    }

    public static boolean suggestsIdentifier(String name) {
        String last = lastWord(name);
        return IDENTIFIER_WORDS.contains(last) || last.length() == 3 && last.endsWith("id");
    }

    /**
     * Returns how reliably a time column with this name indicates when a row was inserted. A higher score is more
     * reliable; 0 means that the name says nothing; a negative score means that the column has another meaning.
     */
    public static int insertionScore(String name, String table) {
        List<String> words = words(name);
        if (words.stream().anyMatch(OTHER_TIME_WORDS::contains) || suggestsEdit(name) || suggestsDeletion(name)) {
            return -1;
        }
        if (words.stream().anyMatch(CREATION_WORDS::contains)) {
            return 40;
        }
        String first = words.isEmpty() ? "" : words.get(0);
        if (first.length() > 2 && words(table).stream().anyMatch(word -> word.startsWith(first))) {
            return 30;
        }
        return words.stream().anyMatch(EVENT_WORDS::contains) ? 20 : 0;
    }
}
