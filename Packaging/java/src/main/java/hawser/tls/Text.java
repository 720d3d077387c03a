package hawser.tls;

/** Text of strangers, made harmless for logs and terminals. */
final class Text {
    private Text() {}

    /** Characters that act on a terminal, or cannot be seen, become {@code \}{@code u{HEX}}. */
    static String shown(String text) {
        if (text == null) {
            return "";
        }
        var line = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            switch (Character.getType(point)) {
                case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE,
                        Character.UNASSIGNED, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                    line.append("\\u{").append(Integer.toHexString(point)).append('}');
                default -> line.appendCodePoint(point);
            }
        });
        return line.toString();
    }

    static String hex(byte[] octets) {
        return java.util.HexFormat.of().formatHex(octets);
    }
}
