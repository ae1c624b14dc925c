package dev.tidemark.command;

import dev.tidemark.declare.FeedCheck;
import dev.tidemark.declare.FeedsConfig;
import dev.tidemark.propose.Proposals;
import dev.tidemark.propose.Selection;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.inject.Singleton;
import java.io.PrintStream;

/** Writes a proposed {@code feeds.yaml}. */
@Singleton
class ProposeCommand {

    private final Proposals proposals;
    private final FeedCheck check;
    private final FeedsConfig config;

    ProposeCommand(Proposals proposals, FeedCheck check, FeedsConfig config) {
        this.proposals = proposals;
        this.check = check;
        this.config = config;
    }

    int run(Selection selection, String role, PrintStream out) {
        check.awaitDatabase(config.startTimeout().orElse(CommandRunner.DEFAULT_START_TIMEOUT));
        try {
            out.print(proposals.write(selection, role));
            return CommandExitException.SUCCESS;
        } catch (IllegalArgumentException unknown) {
            throw new ConfigurationException(unknown.getMessage());
        }
    }
}
