package dev.tidemark.http.query;

import dev.tidemark.feed.Column;
import dev.tidemark.feed.Condition;
import dev.tidemark.feed.ParameterNames;
import dev.tidemark.feed.value.InvalidValueException;
import dev.tidemark.feed.value.ValueParser;
import dev.tidemark.http.problem.Problem;
import dev.tidemark.http.problem.ProblemCode;
import java.util.ArrayList;
import java.util.List;

/** Parses {@code q}: words that an item has in its text. */
public final class SearchParameter {

    /** The maximum number of characters, which limits the length of words, too. */
    public static final int MAX_CHARACTERS = 200;

    /** The maximum number of different words. Each is looked for in each column of each row. */
    public static final int MAX_WORDS = 8;

    /** The minimum number of characters of a word. Nearly every text has a given letter. */
    public static final int MIN_WORD_CHARACTERS = 2;

    private SearchParameter() {}

    /**
     * Returns the condition that a list has with these values of the parameter.
     *
     * @param columns the columns that the feed searches
     * @throws Problem {@code invalid_filter}, or {@code conflicting_parameters} if there are several values
     */
    static Condition condition(List<Column> columns, List<String> values) {
        String text = QueryString.onlyValue(ParameterNames.Q, values);
        if (text.codePointCount(0, text.length()) > MAX_CHARACTERS) {
            throw invalid("can have at most " + MAX_CHARACTERS + " characters");
        }
        List<String> words = words(text);
        if (words.isEmpty()) {
            throw invalid("must have a word");
        }
        for (String word : words) {
            if (word.codePointCount(0, word.length()) < MIN_WORD_CHARACTERS) {
                throw invalid("must have words of at least " + MIN_WORD_CHARACTERS + " characters");
            }
            try {
                ValueParser.parse(columns.get(0), word);
            } catch (InvalidValueException e) {
                throw invalid("is invalid: " + e.getMessage());
            }
        }
        Condition.Search search = new Condition.Search(columns, words);
        if (search.words().size() > MAX_WORDS) {
            throw invalid("can have at most " + MAX_WORDS + " different words");
        }
        return search;
    }

    /** Splits at white space of every script, also at spaces that do not break lines. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (!Character.isWhitespace(c) && !Character.isSpaceChar(c)) {
                word.appendCodePoint(c);
            } else if (!word.isEmpty()) {
                words.add(word.toString());
                word.setLength(0);
            }
        });
        if (!word.isEmpty()) {
            words.add(word.toString());
        }
        return words;
    }

    private static Problem invalid(String why) {
        return Problem.ofParameter(ParameterNames.Q, ProblemCode.INVALID_FILTER, ParameterNames.Q + ' ' + why);
    }
}
