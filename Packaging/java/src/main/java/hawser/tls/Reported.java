package hawser.tls;

/**
 * A failure of an accepted connection that the policy let through.
 *
 * @param id the id of the violation
 * @param sentence the sentence that {@code hawser explain} prints
 * @param reason {@code waived} or {@code report-only}
 */
public record Reported(String id, String sentence, String reason) {}
