package hawser.tls;

/**
 * A call failed. This is not a verdict: do not trust the server.
 */
public final class StoreException extends Exception {
    private static final long serialVersionUID = 1;

    /** The name of the result, as in {@code hawser.h}. */
    private final String result;

    /** A stable word. */
    private final String reason;

    StoreException(String result, String reason, String message) {
        this(result, reason, message, null);
    }

    StoreException(String result, String reason, String message, Throwable cause) {
        super("hawser: " + Text.shown(message) + " (" + reason + ", " + result + ")", cause);
        this.result = result;
        this.reason = reason;
    }

    /** The same failure once more. */
    StoreException(StoreException other) {
        super(other.getMessage(), other);
        this.result = other.result;
        this.reason = other.reason;
    }

    /**
     * Returns the kind of the failure.
     *
     * @return a name of {@code hawser.h}, such as {@code HAWSER_E_TABLE}
     */
    public String result() {
        return result;
    }

    /**
     * Returns why the call failed.
     *
     * @return a stable word, such as {@code truncated} or {@code closed}
     */
    public String reason() {
        return reason;
    }
}
