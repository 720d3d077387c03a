package hawser.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How a store loads tables. Without any options a file is followed by the system's notices, lines
 * of log go to the {@link System.Logger} {@code hawser.tls}, no key is trusted, and nothing is
 * kept.
 */
public final class Options {
    /** How a store follows its file, as it is replaced by rename. */
    public enum Follow {
        /** By the system's notices, which come at once. */
        NOTIFIED,
        /** By a look at the file each five seconds, where notices do not come. */
        POLLED,
        /** Only {@link Store#reload()} reads the file again. */
        NEVER
    }

    /** The fate of a table that was not confirmed for some time. */
    public enum Staleness {
        /** A table becomes stale only where it is signed with an end. */
        NEVER,
        /** The log, the state and notices of accepts mention it. */
        WARN,
        /** Every request is rejected with {@code table-stale}. */
        REJECT
    }

    /** What the state directory has to prove. */
    public enum RequireState {
        /** Nothing. */
        NO,
        /**
         * The revision that was in force, when the store opens; and each newer one must be
         * recorded.
         */
        ALWAYS,
        /** The revision that was in force, when the store opens. */
        AT_START
    }

    String name;
    String service;
    List<byte[]> trustedKeys = List.of();
    int threshold;
    Follow follow = Follow.NOTIFIED;
    boolean refuseWaivers;
    Path stateDirectory;
    RequireState requireState = RequireState.NO;
    Staleness staleness = Staleness.NEVER;
    Duration staleAfter;
    byte[] logList;
    Path policyPath;
    Path crliteDirectory;
    System.Logger logger = System.getLogger("hawser.tls");
    Consumer<Snapshot> onChange;

    /** Begins with the defaults. */
    public Options() {}

    private static String text(String value, String what) {
        if (value != null && (value.isEmpty() || value.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException(what + " is empty or has a NUL character");
        }
        return value;
    }

    /**
     * Sets the name, for logs and metrics; the state directory belongs to stores of this name.
     *
     * @param text the name
     * @return these options
     */
    public Options name(String text) {
        this.name = text(text, "the name");
        return this;
    }

    /**
     * Sets the service's name, for receipts and reports.
     *
     * @param text the name
     * @return these options
     */
    public Options service(String text) {
        this.service = text(text, "the service");
        return this;
    }

    /**
     * Sets the keys that a table must be signed by.
     *
     * @param keys Ed25519 public keys, 32 octets each or PEM
     * @return these options
     */
    public Options trustedKeys(List<byte[]> keys) {
        var copies = new ArrayList<byte[]>(keys.size());
        for (var key : keys) {
            copies.add(key.clone());
        }
        this.trustedKeys = copies;
        return this;
    }

    /**
     * Sets how many of the trusted keys must have signed a table; 1 without it.
     *
     * @param count at least 1
     * @return these options
     */
    public Options threshold(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("the threshold is " + count);
        }
        this.threshold = count;
        return this;
    }

    /**
     * Sets how the file is followed.
     *
     * @param how how
     * @return these options
     */
    public Options follow(Follow how) {
        this.follow = Objects.requireNonNull(how);
        return this;
    }

    /**
     * Loads no table in which any rule has a waiver.
     *
     * @param refuse whether to refuse them
     * @return these options
     */
    public Options refuseWaivers(boolean refuse) {
        this.refuseWaivers = refuse;
        return this;
    }

    /**
     * Sets the folder where the last good table and its revision are kept.
     *
     * @param folder a folder for stores of this name
     * @return these options
     */
    public Options stateDirectory(Path folder) {
        this.stateDirectory = folder;
        return this;
    }

    /**
     * Sets the folder of CRLite filters, as `upki fetch` fills it, for rules that ask `crlite`. A
     * folder that is missing or refused does not keep a store from opening: these rules go by their
     * `revocation.causes`; the log and {@link State#crliteMessage} say it.
     *
     * @param folder a folder that root or the user of the process owns, and that nobody else can
     *     write
     * @return these options
     */
    public Options crliteDirectory(Path folder) {
        this.crliteDirectory = folder;
        return this;
    }

    /**
     * Sets what the state directory has to prove.
     *
     * @param demand the demand
     * @return these options
     */
    public Options requireState(RequireState demand) {
        this.requireState = Objects.requireNonNull(demand);
        return this;
    }

    /**
     * Sets the fate of a table that is not confirmed for some time.
     *
     * @param fate the fate
     * @param after the time, at least a second
     * @return these options
     */
    public Options staleness(Staleness fate, Duration after) {
        if ((fate == Staleness.NEVER) != (after == null) || after != null && after.toSeconds() < 1) {
            throw new IllegalArgumentException("staleness is " + fate + " after " + after + ": give both, or neither");
        }
        this.staleness = fate;
        this.staleAfter = after;
        return this;
    }

    /**
     * Sets a list of certificate logs that is newer than the table's.
     *
     * @param json a log_list.json of version 3
     * @return these options
     */
    public Options logList(byte[] json) {
        this.logList = json == null ? null : json.clone();
        return this;
    }

    /**
     * Sets where the policy is that the tables are compiled from, for the commands that messages
     * propose.
     *
     * @param path a file or a folder of this machine
     * @return these options
     */
    public Options policyPath(Path path) {
        this.policyPath = path;
        return this;
    }

    /**
     * Sets who logs reloads, refusals of tables and of connections, and staleness.
     *
     * @param log the logger; null for silence
     * @return these options
     */
    public Options logger(System.Logger log) {
        this.logger = log;
        return this;
    }

    /**
     * Sets a function that is called when another epoch has come into force, on a thread of this
     * package, one call at a time.
     *
     * @param function is given the policy in force; its exceptions are logged
     * @return these options
     */
    public Options onChange(Consumer<Snapshot> function) {
        this.onChange = function;
        return this;
    }
}
