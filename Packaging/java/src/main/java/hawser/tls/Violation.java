package hawser.tls;

import java.io.Serializable;

/**
 * A reason to reject.
 *
 * <p>Three ids come from this package, for connections of which the policy could not be asked:
 * {@code no-verdict}, {@code port-unknown} and {@code no-host}.
 *
 * @param id a stable word, such as {@code pin-mismatch}
 * @param sentence the sentence that {@code hawser explain} prints
 */
public record Violation(String id, String sentence) implements Serializable {}
