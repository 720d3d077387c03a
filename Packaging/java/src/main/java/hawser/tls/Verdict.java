package hawser.tls;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The policy's verdict on one request at one instant.
 *
 * @param accepted whether the server may be trusted; everything else means that it may not
 * @param host the host that was asked for
 * @param port its port; 0 where it is unknown
 * @param time the instant of the verdict
 * @param epoch the epoch of the table that judged
 * @param policyDigest the digest of the table's meaning, 64 hexadecimal digits
 * @param violations the reasons of a reject, at least one; empty for an accept
 * @param reported failures that an accept let through
 * @param notices the notices of an accept
 * @param path the subjects of the accepted path, end entity first
 * @param wanted evidence that could change the verdict
 * @param reasons of a reject: one line for a log, with the violations and then the words {@code
 *     side=}, {@code rule=}, {@code owner=}, {@code id=} and {@code next=}
 * @param rule of a reject: the rule that decided; empty text for the body of {@code default}
 * @param owner of a reject: the owner of the rule
 * @param side of a reject: {@code server}, {@code policy}, {@code this-machine}, {@code network} or
 *     {@code in-between}
 * @param id the id of the decision, of a reject and of {@link Store#explain}; its receipt has the
 *     same one
 * @param command of a reject: the command to run next on this machine
 * @param explanation only of {@link Store#explain}: the text that {@code hawser explain --format
 *     json} prints, without the members that the command adds
 * @param receipt only of {@link Store#explain}: a line by which {@code hawser explain --receipt}
 *     makes the decision again, with its inputs. Absent where {@code hawser serve} judged
 * @param report only of {@link Store#explain}: a line for the owners of the policy. Absent where
 *     {@code hawser serve} judged
 */
public record Verdict(
        boolean accepted,
        String host,
        int port,
        Instant time,
        long epoch,
        String policyDigest,
        List<Violation> violations,
        List<Reported> reported,
        List<Notice> notices,
        List<String> path,
        List<Wanted> wanted,
        Optional<String> reasons,
        Optional<String> rule,
        Optional<String> owner,
        Optional<String> side,
        Optional<String> id,
        Optional<String> command,
        Optional<String> explanation,
        Optional<String> receipt,
        Optional<String> report) {

    /**
     * Makes a verdict of its parts. The lists are copied.
     */
    public Verdict {
        violations = List.copyOf(violations);
        reported = List.copyOf(reported);
        notices = List.copyOf(notices);
        path = List.copyOf(path);
        wanted = List.copyOf(wanted);
    }

    /**
     * Returns this verdict where it accepts.
     *
     * @return this verdict
     * @throws RejectException where it rejects
     */
    public Verdict orThrow() throws RejectException {
        if (!accepted) {
            throw new RejectException(this);
        }
        return this;
    }
}
