/// What the preloaded library is told, as the sealed file that a program and its children inherit:
/// a line that names the format, lines `NAME=VALUE`, an empty line, and the compiled table where no
/// file is named. `Sources/CHawserRun/preload.c` reads it.
struct RunSettings {
    var onlyReports = false
    var isStrict = false
    var isVerbose = false
    /// Whether a host that the program does not tell TLS is a name that it has looked up.
    var takesLookups = false
    /// The file that lines are appended to; nil for standard error. Absolute.
    var log: String?
    var policy: Policy
    /// The policy that the table is compiled from, for the commands that lines propose; nil where
    /// it is not known. Absolute.
    var policyPath: String?
    /// The folder of CRLite filters; nil for none. Absolute.
    var filterFolder: String?
    var trustedKeys: [[UInt8]] = []
    var threshold = 1

    enum Policy {
        /// A table that does not change while the program runs.
        case table([UInt8])
        /// A file that is looked at before each handshake. Absolute.
        case file(String)
    }

    /// The variable that names the descriptor, and the process that `hawser run` becomes.
    static let variable = "HAWSER_RUN"

    /// The file's octets.
    var sealed: [UInt8] {
        var lines = ["hawser-run 1", "mode=\(onlyReports ? "report-only" : "enforce")"]
        if isStrict { lines.append("strict=yes") }
        if isVerbose { lines.append("verbose=yes") }
        if takesLookups { lines.append("lookups=yes") }
        if let log { lines.append("log=\(log)") }
        if let policyPath { lines.append("policy=\(policyPath)") }
        if let filterFolder { lines.append("crlite=\(filterFolder)") }
        for key in trustedKeys { lines.append("key=\(RunSettings.hexadecimal(key))") }
        if !trustedKeys.isEmpty { lines.append("threshold=\(threshold)") }
        var table: [UInt8] = []
        switch policy {
        case .table(let bytes): table = bytes
        case .file(let path): lines.append("table=\(path)")
        }
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + table
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// The environment of a program under `hawser run`.
    ///
    /// - Parameters:
    ///   - inherited: the environment of this process.
    ///   - library: the preloaded library.
    ///   - descriptor: the descriptor of the sealed file.
    ///   - process: the process that becomes the program.
    func environment(
        _ inherited: [String: String], library: String, descriptor: Int32, process: Int32
    ) -> [String: String] {
        var variables = inherited
        let others = inherited["LD_PRELOAD"] ?? ""
        variables["LD_PRELOAD"] = others.isEmpty ? library : "\(library):\(others)"
        variables[RunSettings.variable] =
            "\(descriptor) \(process)" + (onlyReports ? " report-only" : "")
        // By its own default libpq goes on in clear text where a server's certificate is refused.
        let higher = ["require", "verify-ca", "verify-full"]
        if !onlyReports, !higher.contains(inherited["PGSSLMODE"] ?? "") {
            variables["PGSSLMODE"] = "require"
        }
        return variables
    }
}
