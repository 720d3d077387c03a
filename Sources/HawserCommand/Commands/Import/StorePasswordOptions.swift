import ArgumentParser
import Hawser
import PolicyTools

/// The options that give the password of a store. A password is never an argument, which every
/// process of the machine can read.
struct StorePasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file whose first line is the store's password, or -, standard input.",
            valueName: "file"), completion: .file())
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            "The environment variable that has the store's password.", valueName: "name"))
    var passwordEnv: String?

    @Flag(help: "Take `changeit`, the password of Java's own trust stores.")
    var changeit = false

    /// The password; nil if none was given.
    func password() throws(CommandFailure) -> StorePassword? {
        let given = [
            ("--password-file", passwordFile != nil), ("--password-env", passwordEnv != nil),
            ("--changeit", changeit),
        ].filter(\.1).map(\.0)
        guard given.count < 2 else {
            throw .couldNotAsk(
                "`\(given[0])` and `\(given[1])` both give a password; a store has one")
        }
        if changeit { return .javaDefault }
        if let passwordEnv {
            guard let value = ChildProcess.environment[passwordEnv] else {
                throw .couldNotAsk("the environment has no variable `\(passwordEnv)`")
            }
            return try Self.checked(value)
        }
        guard let passwordFile else { return nil }
        let octets = try InputFile.readStream(passwordFile, limit: Self.largestFile)
        var line = octets.prefix { $0 != 0x0A }
        if line.last == 0x0D { line = line.dropLast() }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw .couldNotAsk(
                "the password in \(InputFile.name(passwordFile)) is not text in UTF-8")
        }
        return try Self.checked(text)
    }

    /// The largest file of a password, in octets.
    private static let largestFile = 64 << 10

    private static func checked(_ text: String) throws(CommandFailure) -> StorePassword {
        guard let password = StorePassword(text) else {
            throw .couldNotAsk("the password is longer than any that is read (1,024 octets)")
        }
        return password
    }
}
