package hawser.tls;

/**
 * Gives the verdicts of a store: libhawser in this process, or `hawser serve` over its socket. Any
 * thread may call anything at any time, a store that is closed included: then every call is a
 * StoreException.
 */
interface Backend {
    /**
     * Which policy is in force. Two marks are equal where nothing changed in between that a verdict
     * depends on besides time.
     *
     * @param isRefusing whether the table is so stale that every request is rejected, or may be
     */
    record Mark(long epoch, String digest, boolean isRefusing) {}

    /** Whether the port of a host may matter, by the table of an epoch. */
    record PortMatters(long epoch, boolean matters) {}

    Verdict judge(Request request, boolean explains) throws StoreException;

    Mark mark() throws StoreException;

    boolean holds(long epoch, String host, int port) throws StoreException;

    PortMatters portMatters(String host) throws StoreException;

    Snapshot snapshot() throws StoreException;

    State state() throws StoreException;

    String metrics() throws StoreException;

    void reload() throws StoreException;

    void reload(byte[] table) throws StoreException;

    void confirm() throws StoreException;

    void close();
}
