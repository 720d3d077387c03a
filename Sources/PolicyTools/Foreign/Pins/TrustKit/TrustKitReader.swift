import PolicyCompiler
import TrustEngine

/// Reads the dictionary of TrustKit: in Swift or Objective-C source, in an `Info.plist`, and its
/// part of Android's `network_security_config.xml`.
///
/// Source: `parse_configuration.m` and `TSKTrustKitConfig.m` of datatheorem/TrustKit 3.0.
package struct TrustKitReader {
    /// The key in an `Info.plist`.
    package static let key = "TSKConfiguration"

    /// The form of a file.
    package enum Form: Sendable { case swift, objectiveC, propertyList, android }

    private var file = PinListFile()
    private let isSource: Bool
    private let takesAll: Bool

    /// The form that the name of a file says, else that the text looks like.
    package static func form(of name: String, _ bytes: [UInt8]) -> Form {
        if bytes.starts(with: "bplist".utf8) { return .propertyList }
        if ForeignText.find("<network-security-config", in: bytes) != nil { return .android }
        if ForeignText.find("<plist", in: bytes) != nil { return .propertyList }
        if name.hasSuffix(".swift") { return .swift }
        if [".m", ".mm", ".h"].contains(where: { name.hasSuffix($0) }) { return .objectiveC }
        return ForeignText.find("@{", in: bytes) != nil ? .objectiveC : .swift
    }

    /// The text that is imported of a file: the file itself, or, of a binary property list, the
    /// dictionary of TrustKit in XML.
    ///
    /// - Throws: HX101 for a binary property list that is damaged.
    package static func text(of bytes: [UInt8]) throws(ForeignError) -> [UInt8] {
        BinaryPropertyList.isBinary(bytes)
            ? try BinaryPropertyList.markup(of: key, in: bytes) : bytes
    }

    /// Reads a file.
    ///
    /// - Parameter takesAll: whether pins that are only reported are taken as enforced.
    /// - Throws: HX101 for a file without a dictionary of TrustKit, HX102 for one that TrustKit
    ///   refuses, HX103 for a pin that is not a digest, HX402 for a second dictionary.
    package static func read(
        _ bytes: [UInt8], _ form: Form, takesAll: Bool = false
    ) throws(ForeignError) -> PinListFile {
        try ForeignText.check(bytes)
        switch form {
        case .android: return try TrustKitAndroidReader.read(bytes, takesAll: takesAll)
        case .propertyList:
            var reader = TrustKitReader(isSource: false, takesAll: takesAll)
            guard let entries = try PropertyListNode.root(of: bytes).entries(),
                let entry = entries.first(where: { $0.key == key })
            else { throw ForeignText.fault("the property list has no key `\(key)`", 0..<0) }
            try reader.configuration(try SettingNode(entry.value))
            return reader.file
        case .swift, .objectiveC:
            var reader = TrustKitReader(isSource: true, takesAll: takesAll)
            let tokens = try SourceTokens.read(bytes, form == .swift ? .swift : .objectiveC)
            try reader.source(tokens)
            return reader.file
        }
    }

    private init(isSource: Bool, takesAll: Bool) {
        self.isSource = isSource
        self.takesAll = takesAll
    }

    // MARK: Source

    /// Finds the dictionary that has the key of the pinned domains, or the value that is assigned
    /// to that key.
    private mutating func source(_ tokens: [SourceToken]) throws(ForeignError) {
        var literals = SourceLiterals(tokens)
        var open: [Int] = []
        var found: Range<Int>?
        for index in tokens.indices {
            let token = tokens[index]
            if case .mark(let mark) = token.kind {
                if "([{".utf8.contains(mark) { open.append(index) }
                if ")]}".utf8.contains(mark), !open.isEmpty { open.removeLast() }
            }
            let isKey =
                token.word == "kTSKPinnedDomains" || token.kind == .string("TSKPinnedDomains")
            guard isKey, let start = open.last else { continue }
            var next = index + 1
            while next < tokens.count, !tokens[next].isMark(":"), !tokens[next].isMark("]") {
                guard tokens[next].word != nil else { break }
                next += 1
            }
            let isEntry = literals.isMark(":", at: next)
            let isAssigned =
                literals.isMark("]", at: next) && literals.isMark("=", at: next + 1)
                && !literals.isMark("=", at: next + 2)
            guard isEntry || isAssigned else { continue }
            if found != nil {
                throw ForeignError(
                    .secondList, "a second dictionary of TrustKit", at: token.range,
                    help: ["copy each into a file of its own, and import the files one by one"])
            }
            found = token.range
            var at = isEntry ? start : next + 2
            if isEntry {
                if literals.isMark("@", at: start - 1) { at -= 1 }
                try configuration(try literals.value(&at))
            } else {
                try domains(try literals.value(&at), token.range)
            }
        }
        guard found != nil else {
            throw ForeignText.fault("the file has no dictionary with `kTSKPinnedDomains`", 0..<0)
        }
    }

    /// The name of a key as TrustKit knows it. Constants have a `k` before it.
    ///
    /// The constant for exclusions has the text `kSKExcludeSubdomainFromParentPolicy` in TrustKit
    /// 3.0, so that a property list needs this spelling.
    private func name(_ key: String) -> String {
        if key == "kTSKExcludeSubdomainFromParentPolicy" { return Self.exclusion }
        return isSource && key.hasPrefix("kTSK") ? String(key.dropFirst()) : key
    }

    private static let exclusion = "kSKExcludeSubdomainFromParentPolicy"

    // MARK: The dictionary

    private mutating func configuration(_ node: SettingNode) throws(ForeignError) {
        guard let entries = node.entries else {
            throw refused("the configuration is \(node.kind); it is a dictionary", node.range)
        }
        var hasDomains = false
        for entry in entries {
            switch name(entry.key) {
            case "TSKPinnedDomains":
                hasDomains = true
                try domains(entry.value, entry.keyRange)
            case "TSKSwizzleNetworkDelegates":
                if entry.value.flag == nil { wrongType(entry, wants: "a boolean") }
            case "TSKIgnorePinningForUserDefinedTrustAnchors":
                if entry.value.flag != false {
                    file.note(
                        .doubtfulInTarget,
                        "on macOS the pins do not bind chains to anchors that the user has added; "
                            + "in the policy they bind every chain", at: entry.keyRange)
                }
            default: ignore(entry)
            }
        }
        guard hasDomains else {
            throw refused("the configuration has no `TSKPinnedDomains`", node.range)
        }
    }

    private mutating func domains(
        _ node: SettingNode, _ place: Range<Int>
    ) throws(ForeignError) {
        if node.isExpression {
            notLiteral("the pinned domains are not a literal; the policy lacks them", node.range)
            return
        }
        guard let entries = node.entries else {
            throw refused("`TSKPinnedDomains` is \(node.kind); it is a dictionary", place)
        }
        guard !entries.isEmpty else { throw refused("`TSKPinnedDomains` is empty", place) }
        for entry in entries {
            // An empty key stands for an expression.
            guard !entry.key.isEmpty, !entry.key.hasPrefix("kTSK") else {
                notLiteral(
                    "the name of this domain is not a literal; the policy lacks its pins",
                    entry.keyRange)
                continue
            }
            try domain(entry)
        }
        for entry in file.entries where entry.isExclusion {
            guard let domain = entry.domain else { continue }
            let hasParent = file.entries.contains {
                $0.reach == .apexAndBelow && $0.domain.map { domain.hasSuffix("." + $0) } ?? false
            }
            if !hasParent {
                throw refused(
                    "`\(domain)` is excluded from a wider domain, and none is pinned", entry.range)
            }
        }
    }

    private mutating func domain(_ entry: SettingNode.Entry) throws(ForeignError) {
        let name = entry.key
        guard let settings = entry.value.entries else {
            if entry.value.isExpression {
                notLiteral(
                    "the pins of `\(name)` are not a literal; the policy lacks them",
                    entry.value.range)
                return
            }
            throw refused("`\(name)` is \(entry.value.kind); it is a dictionary", entry.keyRange)
        }
        let domain = ForeignHosts.exact(name)
        if let domain, !domain.contains(".") || IPAddress(text: domain) != nil {
            throw refused("`\(name)` is not a name below a public suffix", entry.keyRange)
        }
        var made = PinEntry(
            name: name, range: entry.keyRange, domain: domain,
            help: "names are compared as they are written: write lower case, without stars")
        if settings.contains(where: { self.name($0.key) == Self.exclusion && $0.value.flag == true }
        ) {
            guard settings.count == 1 else {
                throw refused("`\(name)` is excluded, and has other keys", entry.keyRange)
            }
            made.isExclusion = true
            file.entries.append(made)
            return
        }
        var keys: SettingNode.Entry?
        for setting in settings {
            switch self.name(setting.key) {
            case "TSKIncludeSubdomains": if flag(setting) == true { made.reach = .apexAndBelow }
            case "TSKEnforcePinning":
                if setting.value.isExpression {
                    notLiteral(
                        "whether the pins of `\(name)` are enforced is not a literal; the policy "
                            + "enforces them", setting.value.range)
                } else {
                    made.isEnforced = flag(setting) ?? true
                }
            case "TSKExpirationDate": end(setting, &made)
            case "TSKPublicKeyHashes": keys = setting
            case Self.exclusion, "TSKReportUris", "TSKDisableDefaultReportUri": continue
            case "TSKPublicKeyAlgorithms":
                file.note(
                    .ignoredByTarget, "TrustKit 2 and later ignore `TSKPublicKeyAlgorithms`",
                    at: setting.keyRange, help: ["delete it"])
            default: ignore(setting)
            }
        }
        let octets = Array(name.utf8)
        if made.reach == .apexAndBelow, domain != nil, PublicSuffixes.contains(octets.span) {
            throw refused("`\(name)` is a public suffix, and has subdomains", entry.keyRange)
        }
        guard try pins(keys, &made, name) else { return }
        file.entries.append(made)
    }

    /// Reads the pins of a domain. False if some are not literals and none is.
    private mutating func pins(
        _ setting: SettingNode.Entry?, _ made: inout PinEntry, _ name: String
    ) throws(ForeignError) -> Bool {
        var isComplete = true
        if let setting {
            guard let items = setting.value.items else {
                if setting.value.isExpression {
                    notLiteral(
                        "the pins of `\(name)` are not a literal; the policy lacks them",
                        setting.value.range)
                    return false
                }
                throw refused("the pins of `\(name)` are \(setting.value.kind)", setting.keyRange)
            }
            for item in items {
                guard let text = item.text else {
                    if item.isExpression {
                        isComplete = false
                        notLiteral(
                            "this pin of `\(name)` is not a literal, and the policy lacks it",
                            item.range)
                        continue
                    }
                    throw refused("a pin is \(item.kind); it is a text", item.range)
                }
                made.pins.append(try Self.pin(text, item.range))
            }
        }
        let needed = made.isEnforced ? 2 : 1
        if isComplete, Set(made.pins.map(\.octets)).count < needed {
            throw refused(
                made.isEnforced
                    ? "`\(name)` has fewer than two pins" : "`\(name)` has no pin", made.range)
        }
        if takesAll, !made.isEnforced {
            made.isEnforced = true
            file.note(
                .pinsOnlyReported,
                "the pins of `\(name)` are reported, and the policy enforces them (`--enforce`)",
                at: made.range)
        }
        return isComplete || !made.pins.isEmpty
    }

    /// A pin as `NSData` reads it: base64 with its padding.
    private static func pin(
        _ text: String, _ range: Range<Int>
    ) throws(ForeignError) -> ForeignPin {
        let octets = text.utf8.count == 44 ? ForeignPinText.octets(of: text.utf8) : nil
        let hasOther = text.utf8.contains { "-_ \t\r\n".utf8.contains($0) }
        guard let octets, !hasOther, let kind = ForeignPinText.kind(octets) else {
            throw ForeignPinText.refusal(
                ForeignPinText.octets(of: text.utf8).flatMap { $0.count == 32 ? nil : $0 },
                at: range)
        }
        return ForeignPin(kind: kind, range: range, octets: octets)
    }

    private mutating func end(_ setting: SettingNode.Entry, _ made: inout PinEntry) {
        guard let text = setting.value.text else {
            file.note(
                .doubtfulInTarget,
                "`TSKExpirationDate` is \(setting.value.kind) and takes a text such as `2027-06-30`; "
                    + "in the policy the pins do not end", at: setting.keyRange)
            return
        }
        guard let day = ForeignText.day(text, at: setting.value.range),
            let midnight = UTCInstant(year: day.year, month: day.month, day: day.day)
        else {
            file.note(
                .doubtfulInTarget,
                "`\(text)` is not a day such as `2027-06-30`; in the policy the pins do not end",
                at: setting.value.range)
            return
        }
        made.end = midnight
        made.endRange = setting.value.range
    }

    // MARK: Parts

    private mutating func flag(_ setting: SettingNode.Entry) -> Bool? {
        guard let flag = setting.value.flag else {
            wrongType(setting, wants: "a boolean")
            return nil
        }
        return flag
    }

    private mutating func wrongType(_ setting: SettingNode.Entry, wants: String) {
        file.note(
            .doubtfulInTarget,
            "`\(setting.key)` is \(setting.value.kind) and takes \(wants); it is not taken over",
            at: setting.keyRange)
    }

    private mutating func ignore(_ setting: SettingNode.Entry) {
        let isOldName = setting.key == "TSKExcludeSubdomainFromParentPolicy"
        file.note(
            .ignoredByTarget, "TrustKit ignores `\(setting.key)` here", at: setting.keyRange,
            help: [
                isOldName
                    ? "TrustKit 3.0 reads `\(Self.exclusion)`, which the constant in source has"
                    : "delete it, or correct its name and its place"
            ])
    }

    private mutating func notLiteral(_ message: String, _ range: Range<Int>) {
        file.note(
            .notLiteral, message, at: range,
            help: ["write the value as a literal in a copy of the file, and import the copy"])
    }

    private func refused(_ message: String, _ range: Range<Int>) -> ForeignError {
        ForeignError(.targetRefuses, "TrustKit stops the program: \(message)", at: range)
    }
}
