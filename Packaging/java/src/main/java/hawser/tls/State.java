package hawser.tls;

import java.time.Instant;
import java.util.Optional;

/**
 * The condition of a store, for a health page. Where {@code hawser serve} judges, the counts are 0:
 * the metrics of the server have them.
 *
 * @param name the name of the store
 * @param origin the source of the table in force: a path, {@code program}, or the socket of the
 *     server
 * @param watching {@code nothing}, {@code notified} or {@code polled}
 * @param watchingMessage why changes of the file are noticed later than asked for
 * @param directory the state directory, where the store has one
 * @param directoryMessage why the state directory is not used
 * @param crliteDirectory the folder of CRLite filters, where the store has one
 * @param crliteMessage why the filters cannot be asked
 * @param refusalReason the reason of the last failure, a stable word; absent where nothing failed
 *     since a table was accepted
 * @param refusalMessage the last failure in words
 * @param failedAt the instant of the last failure
 * @param isStale whether the table is stale
 * @param staleAfter the last instant at which the table is fresh
 * @param expires the last instant at which the table may be used
 * @param installed tables put in force since the store was opened
 * @param confirmed times that the source confirmed the table
 * @param refused tables refused
 * @param sourceFailed times that there was no table to judge
 * @param accepted verdicts that accepted
 * @param rejected verdicts that rejected
 */
public record State(
        String name,
        String origin,
        String watching,
        Optional<String> watchingMessage,
        Optional<String> directory,
        Optional<String> directoryMessage,
        Optional<String> crliteDirectory,
        Optional<String> crliteMessage,
        Optional<String> refusalReason,
        Optional<String> refusalMessage,
        Optional<Instant> failedAt,
        boolean isStale,
        Optional<Instant> staleAfter,
        Optional<Instant> expires,
        long installed,
        long confirmed,
        long refused,
        long sourceFailed,
        long accepted,
        long rejected) {}
