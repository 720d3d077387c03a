package hawser.tls;

import java.time.Duration;

/** How {@link Store#connect} asks {@code hawser serve}. */
public final class ServeOptions {
    Duration timeout = Duration.ofSeconds(1);
    System.Logger logger = System.getLogger("hawser.tls");

    /** Begins with the defaults. */
    public ServeOptions() {}

    /**
     * Sets how long one question may take; a second without it. Give a server with {@code --fetch}
     * more.
     *
     * @param limit the time
     * @return these options
     */
    public ServeOptions timeout(Duration limit) {
        if (limit.toMillis() < 1) {
            throw new IllegalArgumentException("the timeout is " + limit);
        }
        this.timeout = limit;
        return this;
    }

    /**
     * Sets who logs refused connections.
     *
     * @param log the logger; null for silence
     * @return these options
     */
    public ServeOptions logger(System.Logger log) {
        this.logger = log;
        return this;
    }
}
