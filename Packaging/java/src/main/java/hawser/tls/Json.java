package hawser.tls;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** As much JSON as `hawser serve` speaks: strict, with a bound on nesting. */
final class Json {
    private static final int DEEPEST = 100;

    private final String text;
    private int place;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Maps, lists, strings, Boolean, Double or Long, and null. IllegalArgumentException for
     * anything else.
     */
    static Object read(String text) {
        var reader = new Json(text);
        var value = reader.value(0);
        reader.space();
        if (reader.place != text.length()) {
            throw reader.wrong();
        }
        return value;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("no JSON at character " + place);
    }

    private void space() {
        while (place < text.length() && " \t\r\n".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
    }

    private char next() {
        if (place >= text.length()) {
            throw wrong();
        }
        return text.charAt(place);
    }

    private boolean takes(char wanted) {
        space();
        if (next() != wanted) {
            return false;
        }
        place++;
        return true;
    }

    private Object value(int depth) {
        if (depth > DEEPEST) {
            throw wrong();
        }
        space();
        switch (next()) {
            case '{' -> {
                place++;
                var members = new LinkedHashMap<String, Object>();
                if (takes('}')) {
                    return members;
                }
                do {
                    space();
                    var name = string();
                    if (!takes(':') || members.containsKey(name)) {
                        throw wrong();
                    }
                    members.put(name, value(depth + 1));
                } while (takes(','));
                if (!takes('}')) {
                    throw wrong();
                }
                return members;
            }
            case '[' -> {
                place++;
                var items = new ArrayList<Object>();
                if (takes(']')) {
                    return items;
                }
                do {
                    items.add(value(depth + 1));
                } while (takes(','));
                if (!takes(']')) {
                    throw wrong();
                }
                return items;
            }
            case '"' -> {
                return string();
            }
            default -> {
                return word();
            }
        }
    }

    private Object word() {
        int begin = place;
        while (place < text.length() && "+-.0123456789aeflnrstuE".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
        var word = text.substring(begin, place);
        switch (word) {
            case "true" -> {
                return true;
            }
            case "false" -> {
                return false;
            }
            case "null" -> {
                return null;
            }
            default -> {
                if (word.matches("-?(0|[1-9][0-9]{0,17})")) {
                    return Long.valueOf(word);
                }
                if (word.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
                    return Double.valueOf(word);
                }
                place = begin;
                throw wrong();
            }
        }
    }

    private String string() {
        if (next() != '"') {
            throw wrong();
        }
        place++;
        var value = new StringBuilder();
        while (true) {
            char letter = next();
            place++;
            if (letter == '"') {
                return value.toString();
            }
            if (letter < ' ') {
                throw wrong();
            }
            if (letter != '\\') {
                value.append(letter);
                continue;
            }
            char kind = next();
            place++;
            switch (kind) {
                case '"', '\\', '/' -> value.append(kind);
                case 'b' -> value.append('\b');
                case 'f' -> value.append('\f');
                case 'n' -> value.append('\n');
                case 'r' -> value.append('\r');
                case 't' -> value.append('\t');
                case 'u' -> {
                    var digits = place + 4 <= text.length() ? text.substring(place, place + 4) : "";
                    if (!digits.matches("[0-9a-fA-F]{4}")) {
                        throw wrong();
                    }
                    value.append((char) Integer.parseInt(digits, 16));
                    place += 4;
                }
                default -> throw wrong();
            }
        }
    }

    // ---------------------------------------------------------------- members

    /** The members of an object; none where it is something else. */
    static Map<?, ?> members(Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    /** The items of a list; none where it is something else. */
    static List<?> items(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    static Optional<String> string(Object object, String name) {
        return members(object).get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    static Optional<Long> integer(Object object, String name) {
        return members(object).get(name) instanceof Long number ? Optional.of(number) : Optional.empty();
    }

    // ---------------------------------------------------------------- writing

    /** A string in quotation marks. */
    static void write(StringBuilder out, String value) {
        out.append('"');
        for (int at = 0; at < value.length(); at++) {
            char letter = value.charAt(at);
            if (letter == '"' || letter == '\\') {
                out.append('\\').append(letter);
            } else if (letter < ' ' || Character.isSurrogate(letter)) {
                out.append(String.format("\\u%04x", (int) letter));
            } else {
                out.append(letter);
            }
        }
        out.append('"');
    }
}
