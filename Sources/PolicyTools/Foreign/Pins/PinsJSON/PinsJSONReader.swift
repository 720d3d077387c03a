import PolicyCompiler
import TrustEngine

/// Reads a list of pins in JSON. `grammar/foreign-files.md` names the shapes that are read; every
/// other key and type is refused with its place.
///
/// Sources of the shapes: `config/certificatePinning/pins.json` of Expensify/App (`domains`,
/// `hashes`, `enforcePinning`), `src/types.ts` of react-native-ssl-public-key-pinning
/// (`publicKeyHashes`, `includeSubdomains`, `expirationDate`), TrustKit's keys (`TSK…`).
package struct PinsJSONReader {
    private var file = PinListFile()
    private let takesAll: Bool
    private var isEnforced = true

    /// Reads a file.
    ///
    /// - Parameter takesAll: whether pins that are only reported are taken as enforced.
    /// - Throws: HX101 for text that is not JSON or has another shape, HX102 for a pattern that no
    ///   reader takes, HX103 for a pin that is not a digest.
    package static func read(
        _ bytes: [UInt8], takesAll: Bool = false
    ) throws(ForeignError) -> PinListFile {
        try ForeignText.check(bytes)
        var reader = PinsJSONReader(takesAll: takesAll)
        try reader.root(try LocatedJSON.read(bytes))
        return reader.file
    }

    private init(takesAll: Bool) { self.takesAll = takesAll }

    /// Whether a key is a remark of its author.
    private static func isRemark(_ key: String) -> Bool {
        key.hasPrefix("_") || key.hasPrefix("$") || ["note", "notes", "comment"].contains(key)
    }

    private func fault(_ message: String, _ range: Range<Int>) -> ForeignError {
        ForeignError(
            .foreignSyntax, message, at: range,
            help: ["`hawser help foreign-files.md` names the shapes that are read"])
    }

    private mutating func root(_ node: SettingNode) throws(ForeignError) {
        if node.items != nil { return try hosts(node) }
        guard let entries = node.entries else {
            throw fault("the file holds \(node.kind); it holds a dictionary or a list", node.range)
        }
        let lists = entries.filter { ["domains", "TSKPinnedDomains"].contains($0.key) }
        guard lists.count < 2 else {
            throw ForeignError(
                .secondList, "a second list of pins in the file", at: lists[1].keyRange)
        }
        let globals = entries.filter { $0.key == "enforcePinning" }
        if let global = globals.first { isEnforced = try flag(global) }
        guard let list = lists.first else {
            let hosts = entries.filter { $0.key != "enforcePinning" && !Self.isRemark($0.key) }
            for entry in hosts { try host(entry.key, entry.keyRange, entry.value) }
            return
        }
        for entry in entries
        where entry.key != list.key && entry.key != "enforcePinning" && !Self.isRemark(entry.key)
            && entry.key != "TSKSwizzleNetworkDelegates"
        {
            throw fault(
                "`\(entry.key)` is not a key that is read beside `\(list.key)`", entry.keyRange)
        }
        try hosts(list.value)
    }

    /// The hosts of a dictionary or of a list.
    private mutating func hosts(_ node: SettingNode) throws(ForeignError) {
        if let entries = node.entries {
            for entry in entries where !Self.isRemark(entry.key) {
                try host(entry.key, entry.keyRange, entry.value)
            }
            return
        }
        guard let items = node.items else {
            throw fault("the hosts are \(node.kind); they are a dictionary or a list", node.range)
        }
        let names = ["host", "hostname", "domain", "pattern"]
        for item in items {
            guard let entries = item.entries else {
                throw fault("an entry is \(item.kind); it is a dictionary", item.range)
            }
            let named = entries.filter { names.contains($0.key) }
            guard named.count == 1, let name = named[0].value.text else {
                throw fault("an entry has one `host` with a text", item.range)
            }
            let rest = entries.filter { !names.contains($0.key) }
            try host(
                name, named[0].value.range,
                SettingNode(content: .dictionary(rest), range: item.range))
        }
    }

    private mutating func host(
        _ name: String, _ range: Range<Int>, _ value: SettingNode
    ) throws(ForeignError) {
        var settings: [SettingNode.Entry] = []
        var pins: SettingNode? = value.entries == nil ? value : nil
        if let entries = value.entries { settings = entries.filter { !Self.isRemark($0.key) } }
        var includesSubdomains = false
        var enforces = isEnforced
        var day: (NSCFile.Day, Range<Int>)?
        for setting in settings {
            switch setting.key {
            case "hashes", "pins", "publicKeyHashes", "TSKPublicKeyHashes":
                guard pins == nil else {
                    throw fault("a second list of pins for `\(name)`", setting.keyRange)
                }
                pins = setting.value
            case "includeSubdomains", "TSKIncludeSubdomains":
                includesSubdomains = try flag(setting)
            case "enforcePinning", "TSKEnforcePinning": enforces = try flag(setting)
            case "expirationDate", "TSKExpirationDate":
                guard let text = setting.value.text,
                    let read = ForeignText.day(text, at: setting.value.range)
                else {
                    throw fault(
                        "`\(setting.key)` takes a day such as `2027-06-30`", setting.value.range)
                }
                day = (read, setting.value.range)
            case "reportUris", "TSKReportUris", "TSKDisableDefaultReportUri": continue
            default:
                throw fault(
                    "`\(setting.key)` is not a key that is read for a host", setting.keyRange)
            }
        }
        guard let pins else { throw fault("`\(name)` has no list of pins", range) }
        var entry = try self.entry(name, range, includesSubdomains)
        entry.pins = try self.pins(pins, name)
        if entry.pins.isEmpty {
            file.note(
                .ignoredByTarget, "`\(name)` has no pins, so every key is accepted", at: range)
            return
        }
        entry.isEnforced = enforces
        if takesAll, !enforces {
            entry.isEnforced = true
            file.note(
                .pinsOnlyReported,
                "the pins of `\(name)` are not enforced, and the policy enforces them (`--enforce`)",
                at: range)
        }
        if let (day, range) = day {
            entry.end = UTCInstant(year: day.year, month: day.month, day: day.day)
            entry.endRange = range
        }
        let reach = entry.reach
        if let domain = entry.domain,
            file.entries.contains(where: { $0.domain == domain && $0.reach == reach })
        {
            throw fault("the hosts of `\(name)` stand twice in the file", range)
        }
        file.entries.append(entry)
    }

    private func entry(
        _ name: String, _ range: Range<Int>, _ includesSubdomains: Bool
    ) throws(ForeignError) -> PinEntry {
        switch OkHttpModel.pattern(name, OkHttpModel.Version(5, 0)) {
        case .hosts(let domain, let reach):
            guard includesSubdomains else {
                return PinEntry(name: name, range: range, domain: domain, reach: reach)
            }
            guard reach == .exact, IPAddress(text: domain) == nil else {
                throw fault("`\(name)` has subdomains, so it is a name without stars", range)
            }
            return PinEntry(name: name, range: range, domain: domain, reach: .apexAndBelow)
        case .noHost(let help):
            return PinEntry(name: name, range: range, domain: nil, help: help)
        case .refused(let why):
            throw ForeignError(.targetRefuses, "`\(name)` is not a pattern: \(why)", at: range)
        }
    }

    private func pins(
        _ node: SettingNode, _ name: String
    ) throws(ForeignError) -> [ForeignPin] {
        let items = node.items ?? [node]
        var made: [ForeignPin] = []
        for item in items {
            guard let text = item.text else {
                throw fault("a pin of `\(name)` is \(item.kind); it is a text", item.range)
            }
            let hasPrefix = text.hasPrefix("sha256/") || text.hasPrefix("sha1/")
            made.append(
                try OkHttpReader.pin(hasPrefix ? text : "sha256/\(text)", item.range, "the reader"))
        }
        return made
    }

    private func flag(_ entry: SettingNode.Entry) throws(ForeignError) -> Bool {
        guard let flag = entry.value.flag else {
            throw fault("`\(entry.key)` is \(entry.value.kind); it is a boolean", entry.value.range)
        }
        return flag
    }
}
