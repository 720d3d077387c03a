package hawser.tls;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Holds the policy in force and replaces it while the program runs.
 *
 * <p>A table that is damaged, unsigned where keys are trusted, or older than the one in force never
 * replaces a good one: {@link #state} and the log have the reason. Any thread may call anything at
 * any time, {@link #close} included. A store that nothing refers to any more is closed.
 *
 * <p>Two ways lead to verdicts. {@link #open} calls libhawser in this process and needs Java 22 or
 * later. {@link #connect} asks {@code hawser serve} over its Unix socket and needs Java 17 or
 * later.
 */
public final class Store implements AutoCloseable {
    private static final Cleaner cleaner = Cleaner.create();
    private static final int MOST_REJECTIONS = 1024;

    private final Backend backend;
    private final System.Logger logger;
    private final Cleaner.Cleanable closing;

    // The last refusal of each host, oldest first.
    private final Map<String, RejectException> rejections = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RejectException> eldest) {
            return size() > MOST_REJECTIONS;
        }
    };

    private Store(Backend backend, System.Logger logger) {
        this.backend = backend;
        this.logger = logger;
        this.closing = cleaner.register(this, backend::close);
    }

    /**
     * Opens a store on a table file and follows the file.
     *
     * @param table a file that {@code hawser compile} or {@code hawser sign} wrote
     * @return the store
     * @throws StoreException where the table does not load, or this is not Java 22 or later
     */
    public static Store open(Path table) throws StoreException {
        return open(table, new Options());
    }

    /**
     * Opens a store on a table file.
     *
     * @param table a file that {@code hawser compile} or {@code hawser sign} wrote
     * @param options how tables are loaded
     * @return the store
     * @throws StoreException where the table does not load, or this is not Java 22 or later
     */
    public static Store open(Path table, Options options) throws StoreException {
        return open(Objects.requireNonNull(table), null, options);
    }

    /**
     * Opens a store on the octets of a table. Octets are not followed.
     *
     * @param table the table
     * @param options how tables are loaded
     * @return the store
     * @throws StoreException where the table does not load, or this is not Java 22 or later
     */
    public static Store open(byte[] table, Options options) throws StoreException {
        return open(null, table.clone(), options);
    }

    private static Store open(Path path, byte[] table, Options options) throws StoreException {
        var teller = new Teller(options);
        var store = new Store(Native.open(path, table, options, teller), options.logger);
        teller.begin(store);
        return store;
    }

    /**
     * Opens a store whose verdicts {@code hawser serve} gives. The server has the table, follows it
     * and logs its reloads.
     *
     * @param socket the Unix socket of the server
     * @return the store
     * @throws StoreException where no server answers, or others may write to the socket's folder
     */
    public static Store connect(Path socket) throws StoreException {
        return connect(socket, new ServeOptions());
    }

    /**
     * Opens a store whose verdicts {@code hawser serve} gives.
     *
     * @param socket the Unix socket of the server
     * @param options how the server is asked
     * @return the store
     * @throws StoreException where no server answers, or others may write to the socket's folder
     */
    public static Store connect(Path socket, ServeOptions options) throws StoreException {
        var backend = new ServeBackend(socket, options);
        backend.mark();
        return new Store(backend, options.logger);
    }

    /** Takes the library's lines, and tells the program of another epoch. */
    private static final class Teller implements BiConsumer<Integer, String> {
        private final Options options;
        private volatile WeakReference<Store> store = new WeakReference<>(null);
        private long told = 1;

        Teller(Options options) {
            this.options = options;
        }

        void begin(Store opened) {
            store = new WeakReference<>(opened);
            tell();
        }

        @Override
        public void accept(Integer level, String line) {
            Journal.log(options.logger, Journal.level(level), Text.shown(line));
            tell();
        }

        private void tell() {
            if (options.onChange != null) {
                Journal.soon(this::change);
            }
        }

        private void change() {
            var opened = store.get();
            if (opened == null) {
                return;
            }
            try {
                var snapshot = opened.snapshot();
                if (snapshot.epoch() != told) {
                    told = snapshot.epoch();
                    options.onChange.accept(snapshot);
                }
            } catch (StoreException closed) {
                // It was closed meanwhile.
            } catch (RuntimeException failure) {
                Journal.log(options.logger, System.Logger.Level.ERROR, "`onChange` failed: " + failure);
            }
        }
    }

    Backend backend() {
        return backend;
    }

    /**
     * Judges a chain that the program has from elsewhere. A reject is a verdict too.
     *
     * @param request the question
     * @return the verdict
     * @throws StoreException if no verdict was made: do not trust the server
     */
    public Verdict evaluate(Request request) throws StoreException {
        return backend.judge(request, false);
    }

    /**
     * Gives the same verdict with its explanation, receipt and report, at several times the cost.
     *
     * @param request the question
     * @return the verdict
     * @throws StoreException if no verdict was made: do not trust the server
     */
    public Verdict explain(Request request) throws StoreException {
        return backend.judge(request, true);
    }

    /**
     * Returns the epoch of the policy in force, for keys of connection pools.
     *
     * @return the epoch
     * @throws StoreException where the store is closed
     */
    public long epoch() throws StoreException {
        return backend.mark().epoch();
    }

    /**
     * Returns the policy in force.
     *
     * @return the policy in force
     * @throws StoreException where the store is closed
     */
    public Snapshot snapshot() throws StoreException {
        return backend.snapshot();
    }

    /**
     * Returns the condition of the store.
     *
     * @return the condition
     * @throws StoreException where the store is closed
     */
    public State state() throws StoreException {
        return backend.state();
    }

    /**
     * Returns counters and gauges.
     *
     * @return text in the format of Prometheus, version 0.0.4; of OpenMetrics where {@code hawser
     *     serve} judges
     * @throws StoreException where the store is closed
     */
    public String metrics() throws StoreException {
        return backend.metrics();
    }

    /**
     * Reads the file again.
     *
     * @throws StoreException where its table is refused; then the one before stays in force
     */
    public void reload() throws StoreException {
        backend.reload();
    }

    /**
     * Offers a table.
     *
     * @param table the table
     * @throws StoreException where it is refused; then the one before stays in force
     */
    public void reload(byte[] table) throws StoreException {
        backend.reload(table);
    }

    /**
     * Confirms that the table in force is still the newest, as its source answered.
     *
     * @throws StoreException where the store is closed
     */
    public void confirm() throws StoreException {
        backend.confirm();
    }

    /**
     * Returns whether a connection that was accepted under an epoch may go on: no table since then
     * judges the host more strictly.
     *
     * @param epoch the epoch of the verdict
     * @param host the host
     * @param port its port
     * @return whether it may; false where {@code hawser serve} judges and another epoch is in force
     * @throws StoreException where the store is closed
     */
    public boolean holds(long epoch, String host, int port) throws StoreException {
        return backend.holds(epoch, host, port);
    }

    /**
     * Returns why the last connection to a host that was refused was, for libraries that keep
     * nothing of an exception. The last 1,024 hosts are kept.
     *
     * @param host the host
     * @return the refusal, where one was
     */
    public Optional<RejectException> lastRejection(String host) {
        synchronized (rejections) {
            return Optional.ofNullable(rejections.get(key(host)));
        }
    }

    private static String key(String host) {
        var name = host.toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** A connection was refused: a line of log, and kept. */
    void refused(RejectException refusal) {
        synchronized (rejections) {
            rejections.put(key(refusal.host()), refusal);
        }
        Journal.log(logger, System.Logger.Level.WARNING, Text.shown(refusal.getMessage()));
    }

    private final AtomicBoolean isClosed = new AtomicBoolean();

    /**
     * Stops following the file. Verdicts that are being made complete; later ones fail, so
     * connections are refused. A second call does nothing.
     */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            closing.clean();
        }
    }
}
