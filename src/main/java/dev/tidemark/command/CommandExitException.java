package dev.tidemark.command;

/** Thrown after a command has run, so that the server does not start. */
public final class CommandExitException extends RuntimeException {

    public static final int SUCCESS = 0;
    public static final int WARNINGS = 1;

    /** Faults were found, or the command could not run, for example because the database cannot be reached. */
    public static final int FAULTS = 2;

    private static final long serialVersionUID = 1L;

    private final int status;

    CommandExitException(int status) {
        super("The command has ended", null, false, false);
        this.status = status;
    }

    /** Returns the exit status of the process. */
    public int status() {
        return status;
    }
}
