package dev.tidemark.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code blocks in the README of the npm package. */
record JavaScriptGuide(String text) {

    private static final Path PATH = Path.of("src/client/javascript/README.md");

    static JavaScriptGuide read() throws IOException {
        return new JavaScriptGuide(Files.readString(PATH));
    }

    /**
     * Returns the first code block for a file with this name after a heading. The line above the code block begins
     * with the name and ends with a colon.
     */
    String file(String heading, String name) {
        return first("(?ms)^`" + Pattern.quote(name) + "`[^\n]*:\n\n```\\w+\n(.*?)^```$", textAfter(heading));
    }

    /** Returns the output that is shown for a command. */
    String output(String command) {
        return first("(?ms)^```console\n\\$ " + Pattern.quote(command) + "\n(.*?)^```$", text);
    }

    /** Returns the command that starts with this text. */
    String command(String start) {
        return first("(?m)^\\$ (" + Pattern.quote(start) + ".*)$", text);
    }

    private String textAfter(String heading) {
        return first("(?ms)^#+ " + Pattern.quote(heading) + "\n(.*)", text);
    }

    private static String first(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }
}
