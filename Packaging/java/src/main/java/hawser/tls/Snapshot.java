package hawser.tls;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The policy in force.
 *
 * @param epoch 1 at the start, and one more whenever the meaning of the policy changes
 * @param revision the revision of the table, where it has one
 * @param isStale whether the table is stale
 * @param loadedAt the instant at which the table came into force
 * @param confirmedAt the instant at which its source last confirmed that it is the newest
 * @param refusals tables refused since the store was opened; 0 where {@code hawser serve} judges,
 *     whose metrics count them
 * @param sourceFailures times that there was no table to judge; 0 likewise
 * @param policyDigest the digest of the policy's meaning, 64 hexadecimal digits
 * @param fileDigest the digest of the table's octets, 64 hexadecimal digits
 * @param stricterHosts patterns whose hosts may be judged more strictly than by the table before;
 *     empty where {@code hawser serve} judges, which does not list them
 * @param stricterDefault the same for hosts that no pattern matches
 * @param rollbackProtection {@code on}, {@code against-mistakes} (no key is trusted) or {@code
 *     off}; absent where {@code hawser serve} judges
 * @param rollbackMessage why rollback protection is off
 */
public record Snapshot(
        long epoch,
        OptionalLong revision,
        boolean isStale,
        Instant loadedAt,
        Instant confirmedAt,
        long refusals,
        long sourceFailures,
        String policyDigest,
        String fileDigest,
        List<String> stricterHosts,
        boolean stricterDefault,
        Optional<String> rollbackProtection,
        Optional<String> rollbackMessage) {

    /** Makes a snapshot of its parts. The list is copied. */
    public Snapshot {
        stricterHosts = List.copyOf(stricterHosts);
    }
}
