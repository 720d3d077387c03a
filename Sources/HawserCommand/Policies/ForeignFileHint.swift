import Hawser
import Rendering

/// The message about a path that is the file of another system and no policy: the command that
/// imports it.
struct ForeignFileHint {
    /// The whole message.
    let words: String

    /// Nil for a path whose name is not one of another system's files.
    init?(_ path: String) {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        let command: String
        let what: String
        if name.hasSuffix(".plist") {
            (command, what) = ("ats", "a property list")
        } else if name.hasSuffix(".xml") {
            (command, what) = ("nsc", "XML")
        } else if name.hasSuffix("pins.json") {
            (command, what) = ("pins-json", "a list of pins")
        } else if name.hasSuffix("curlrc") {
            (command, what) = ("curl", "a configuration of curl")
        } else if name == "root_store.textproto" {
            (command, what) = ("chrome-root-store", "a Chrome Root Store")
        } else if name == "certdata.txt" {
            (command, what) = ("certdata", "Mozilla's list of roots")
        } else if name == "cacerts" || Self.storeEndings.contains(where: name.hasSuffix) {
            (command, what) = ("trust-store", "a key store")
        } else {
            return nil
        }
        guard NamedPath.isFile(path) else { return nil }
        let line =
            command == "chrome-root-store"
            ? ShellWords.line(["hawser", "import", command, "--help"])
            : ShellWords.line(["hawser", "import", command, path, "-o", "policy"])
        words = "`\(path)` is \(what), and a policy is YAML; to make a policy of it: `\(line)`"
    }

    /// The endings of key stores' names.
    private static let storeEndings = [
        ".jks", ".jceks", ".p12", ".pfx", ".keystore", ".truststore",
    ]
}
