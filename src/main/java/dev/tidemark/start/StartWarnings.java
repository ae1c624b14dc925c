package dev.tidemark.start;

import io.quarkus.arc.profile.UnlessBuildProfile;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;

/** Collects the first sentence of each warning and error that Tidemark logs during startup. */
@Singleton
@UnlessBuildProfile("test")
class StartWarnings extends ExtHandler {

    private final Logger tidemark = Logger.getLogger("dev.tidemark");
    private final List<String> sentences = new ArrayList<>();

    /** Starts the collection. Called before Tidemark can log a warning. */
    void collect() {
        setLevel(Level.WARNING);
        tidemark.addHandler(this);
    }

    /** Ends the collection and returns the sentences. Called when startup has ended. */
    List<String> stop() {
        tidemark.removeHandler(this);
        synchronized (sentences) {
            return List.copyOf(sentences);
        }
    }

    @Override
    @SuppressWarnings("deprecation") // A formatter would also add the time and the category.
    protected void doPublish(ExtLogRecord warning) {
        synchronized (sentences) {
            sentences.add(firstSentence(warning.getFormattedMessage()));
        }
    }

    private static String firstSentence(String message) {
        return message.lines().findFirst().orElse("").replaceFirst("\\.\\s.*", "");
    }
}
