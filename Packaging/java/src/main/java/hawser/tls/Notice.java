package hawser.tls;

/**
 * A fact that an accept mentions, such as a date that draws near.
 *
 * @param id a stable word
 * @param sentence the sentence that {@code hawser explain} prints
 */
public record Notice(String id, String sentence) {}
