package hawser.tls;

import java.security.cert.CertificateException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The policy refused a server, or could not be asked, which refuses it too.
 *
 * <p>Libraries wrap it in exceptions of their own; {@link #find} finds it there.
 */
public final class RejectException extends CertificateException {
    private static final long serialVersionUID = 1;

    /** The host that was asked for; empty if none was named. */
    private final String host;

    /** Its port; 0 where it is unknown. */
    private final int port;
    /** The epoch of the table that judged. */
    private final long epoch;
    /** The reasons, at least one. */
    private final ArrayList<Violation> violations;
    /** The rule that decided, or null. */
    private final String rule;
    /** The owner of the rule, or null. */
    private final String owner;
    /** Whose fault it is, or null. */
    private final String side;
    /** The id of the decision, or null. */
    private final String id;
    /** The command to run next, or null. */
    private final String command;
    private transient Verdict verdict;

    /**
     * Makes the exception of a verdict that rejects.
     *
     * @param verdict the verdict
     */
    public RejectException(Verdict verdict) {
        super(line(verdict.host(), verdict.port(), verdict.reasons().orElseGet(() -> sentences(verdict.violations()))));
        this.host = verdict.host();
        this.port = verdict.port();
        this.epoch = verdict.epoch();
        this.violations = new ArrayList<>(verdict.violations());
        this.rule = verdict.rule().orElse(null);
        this.owner = verdict.owner().orElse(null);
        this.side = verdict.side().orElse(null);
        this.id = verdict.id().orElse(null);
        this.command = verdict.command().orElse(null);
        this.verdict = verdict;
    }

    /** A refusal of this package's own: the policy could not be asked. */
    RejectException(String host, int port, long epoch, Violation violation, Throwable cause) {
        super(line(host, port, sentences(List.of(violation))), cause);
        this.host = host == null ? "" : host;
        this.port = port;
        this.epoch = epoch;
        this.violations = new ArrayList<>(List.of(violation));
        this.rule = null;
        this.owner = null;
        this.side = null;
        this.id = null;
        this.command = null;
    }

    /**
     * The same refusal once more: an exception that is thrown twice would collect foreign causes.
     */
    private RejectException(RejectException other) {
        super(other.getMessage(), other);
        this.host = other.host;
        this.port = other.port;
        this.epoch = other.epoch;
        this.violations = other.violations;
        this.rule = other.rule;
        this.owner = other.owner;
        this.side = other.side;
        this.id = other.id;
        this.command = other.command;
        this.verdict = other.verdict;
    }

    RejectException again() {
        return new RejectException(this);
    }

    private static String sentences(List<Violation> violations) {
        var line = new StringBuilder();
        for (var violation : violations) {
            line.append(line.isEmpty() ? "" : "; ").append(violation.id()).append(": ").append(violation.sentence());
        }
        return line.toString();
    }

    private static String line(String host, int port, String reasons) {
        var name = host == null || host.isEmpty() ? "a connection without a host" : Text.shown(host);
        if (name.indexOf(':') >= 0) {
            name = "[" + name + "]";
        }
        return "hawser: reject " + name + (port > 0 ? ":" + port : "") + ": " + reasons;
    }

    /**
     * Finds the refusal in an exception of a library: in its causes and in suppressed exceptions.
     *
     * @param failure an exception, or null
     * @return the refusal, where the exception has one
     */
    public static Optional<RejectException> find(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        var waiting = new ArrayDeque<Throwable>();
        if (failure != null) {
            waiting.add(failure);
        }
        while (!waiting.isEmpty() && seen.size() < 1000) {
            var next = waiting.remove();
            if (next instanceof RejectException found) {
                return Optional.of(found);
            }
            if (seen.add(next)) {
                if (next.getCause() != null) {
                    waiting.add(next.getCause());
                }
                waiting.addAll(List.of(next.getSuppressed()));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the host that was judged.
     *
     * @return the host; empty where no host was named
     */
    public String host() {
        return host;
    }

    /**
     * Returns the port that was judged.
     *
     * @return the port; 0 where it is unknown
     */
    public int port() {
        return port;
    }

    /**
     * Returns the epoch of the table that judged.
     *
     * @return the epoch; 0 where no table judged
     */
    public long epoch() {
        return epoch;
    }

    /**
     * Returns the reasons.
     *
     * @return at least one violation
     */
    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    /**
     * Returns whether a violation is among the reasons.
     *
     * @param violation the id of a violation, such as {@code revoked}
     * @return whether it is
     */
    public boolean has(String violation) {
        return violations.stream().anyMatch(one -> one.id().equals(violation));
    }

    /**
     * Returns the rule that decided.
     *
     * @return the rule; empty text for the body of {@code default}; absent where no rule decided
     */
    public Optional<String> rule() {
        return Optional.ofNullable(rule);
    }

    /**
     * Returns who answers for the rule.
     *
     * @return the owner, where the policy names one
     */
    public Optional<String> owner() {
        return Optional.ofNullable(owner);
    }

    /**
     * Returns whose fault the refusal is.
     *
     * @return {@code server}, {@code policy}, {@code this-machine}, {@code network} or {@code
     *     in-between}
     */
    public Optional<String> side() {
        return Optional.ofNullable(side);
    }

    /**
     * Returns the id of the decision, which its receipt has too.
     *
     * @return the id, where a policy judged
     */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /**
     * Returns the command to run next on this machine.
     *
     * @return the command, where a file has the policy
     */
    public Optional<String> command() {
        return Optional.ofNullable(command);
    }

    /**
     * Returns the whole verdict.
     *
     * @return the verdict; absent where the policy could not be asked, and after serialization
     */
    public Optional<Verdict> verdict() {
        return Optional.ofNullable(verdict);
    }
}
