package okhttp3;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Prints what OkHttp's CertificatePinner finds for random entries and a host, one row a line. */
public final class Rows {
  private static final String[] NAMES = {
    "a.example", "b.a.example", "c.b.a.example", "d.example", "A.Example", "localhost", "x",
    "b\u00fccher.example", "192.0.2.7", "a_b.example", "a.example.", "example",
  };
  private static final String[] STARS = {"", "", "", "*.", "*.", "**.", "*.*.", "a*."};
  private static final String[] TAILS = {"", "", "", "", "", "", "", ":443", "/path", "?q", ":x", "%41"};
  private static final String[] HOSTS = {
    "a.example", "b.a.example", "c.b.a.example", "q.a.example", "r.q.a.example", "d.example",
    "q.d.example", "localhost", "q.localhost", "x", "q.x", "xn--bcher-kva.example", "192.0.2.7",
    "example", "other.test", "q.r.s.a.example",
  };

  private static String quoted(String text) {
    StringBuilder made = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') made.append(String.format("\\u%04x", (int) c));
      else made.append(c);
    }
    return made.append('"').toString();
  }

  private static String list(Iterable<String> items) {
    List<String> made = new ArrayList<>();
    for (String item : items) made.add(quoted(item));
    return "[" + String.join(",", made) + "]";
  }

  public static void main(String[] arguments) {
    Random random = new Random(Long.parseLong(arguments[0]));
    for (int row = 0; row < Integer.parseInt(arguments[1]); row++) {
      List<String> patterns = new ArrayList<>();
      List<String> pins = new ArrayList<>();
      for (int entry = 1 + random.nextInt(4); entry > 0; entry--) {
        String name = NAMES[random.nextInt(NAMES.length)];
        patterns.add(
            STARS[random.nextInt(STARS.length)] + name + TAILS[random.nextInt(TAILS.length)]);
        byte[] digest = new byte[32];
        random.nextBytes(digest);
        pins.add("sha256/" + okio.ByteString.of(digest).base64());
      }
      String host = HOSTS[random.nextInt(HOSTS.length)];
      boolean refused = false;
      TreeSet<String> found = new TreeSet<>();
      try {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        for (int i = 0; i < patterns.size(); i++) builder.add(patterns.get(i), pins.get(i));
        for (CertificatePinner.Pin pin : builder.build().findMatchingPins(host)) {
          found.add(pin.hash.base64());
        }
      } catch (IllegalArgumentException e) {
        refused = true;
      }
      System.out.println(
          "{\"patterns\":" + list(patterns) + ",\"pins\":" + list(pins) + ",\"host\":" + quoted(host)
              + ",\"refused\":" + refused + ",\"found\":" + list(found) + "}");
    }
  }
}
