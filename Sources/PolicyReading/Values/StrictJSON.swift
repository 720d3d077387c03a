package import TrustEngine

/// One JSON value of a stranger's text, which is read strictly. The reader asks for each member by
/// name. A member that nobody asked for, or that is there twice, is an error. `JSONReader` checks
/// the whole of each part that it finds, so no value here is malformed JSON.
package struct StrictJSON {
    /// Why a text is not what its reader wants.
    package struct Problem: Error, Hashable, Sendable {
        /// The kinds of reasons.
        package enum Kind: Hashable, Sendable {
            /// The text is not JSON.
            case notJSON
            /// A member is missing, is unknown, or has a value that it cannot have.
            case malformed
            /// The text has another format, or a version that is not known here.
            case otherFormat
        }

        package let kind: Kind
        /// The value that is wrong, as a JSON pointer (RFC 6901); empty for the whole text.
        package let pointer: String
        /// What was found: lower case, no full stop. Text of the stranger in it is not escaped.
        package let context: String

        package init(kind: Kind, pointer: String, context: String) {
            self.kind = kind
            self.pointer = pointer
            self.context = context
        }
    }

    private let bytes: [UInt8]
    private let range: Range<Int>
    /// What the whole text is, in errors: "the receipt".
    private let subject: String
    /// The value's name in errors, such as `request.tls`.
    private let name: String
    private let pointer: String

    /// The value of a whole text.
    ///
    /// - Parameter subject: what the text is, in errors: "the receipt".
    package init(_ bytes: [UInt8], subject: String) {
        self.init(bytes, 0..<bytes.count, subject: subject, name: "", pointer: "")
    }

    private init(
        _ bytes: [UInt8], _ range: Range<Int>, subject: String, name: String, pointer: String
    ) {
        self.bytes = bytes
        self.range = range
        self.subject = subject
        self.name = name
        self.pointer = pointer
    }

    /// The member `key` of this value.
    private func member(_ key: String, _ range: Range<Int>) -> StrictJSON {
        var token = ""
        for character in key.prefix(StrictJSON.longestName).unicodeScalars {
            switch character {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(character)
            }
        }
        let key = String(key.prefix(StrictJSON.longestName))
        return StrictJSON(
            bytes, range, subject: subject, name: name.isEmpty ? key : "\(name).\(key)",
            pointer: "\(pointer)/\(token)")
    }

    /// The element `index` of this value.
    private func element(_ index: Int, _ range: Range<Int>) -> StrictJSON {
        StrictJSON(
            bytes, range, subject: subject, name: "\(name)[\(index)]",
            pointer: "\(pointer)/\(index)")
    }

    /// The most characters of a member's name that an error repeats.
    private static let longestName = 60

    /// An error about this value.
    package func problem(_ what: String, _ kind: Problem.Kind = .malformed) -> Problem {
        Problem(
            kind: kind, pointer: pointer,
            context: (name.isEmpty ? subject : "`\(name)`") + " " + what)
    }

    /// Reads an object: `read` must take all of its members.
    ///
    /// - Parameter most: the most members; with more, the text is refused.
    package func object<Value>(
        most: Int = .max, _ read: (inout Members) throws(Problem) -> Value
    ) throws(Problem) -> Value {
        guard
            let found = try found({ (reader) throws(JSONReader.Problem) in
                try reader.members(most: most)
            })
        else { throw problem("is not an object") }
        var members = Members(owner: self, values: [:])
        for member in found {
            let key = String(decoding: bytes[member.name], as: UTF8.self)
            let value = self.member(key, member.value)
            guard members.values.updateValue(value, forKey: key) == nil else {
                throw value.problem("stands there twice")
            }
        }
        let value = try read(&members)
        if let left = members.values.min(by: { $0.key < $1.key }) {
            throw left.value.problem("is no member that is known here")
        }
        return value
    }

    /// Reads a list.
    ///
    /// - Parameter most: the most elements; with more, the text is refused.
    package func list<Value>(
        most: Int = .max, _ read: (StrictJSON) throws(Problem) -> Value
    ) throws(Problem) -> [Value] {
        guard
            let elements = try found({ (reader) throws(JSONReader.Problem) in
                try reader.elements(most: most)
            })
        else { throw problem("is not a list") }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            values.append(try read(self.element(index, element)))
        }
        return values
    }

    /// Whether the value is null.
    package var isNull: Bool { bytes[range].elementsEqual("null".utf8) }

    /// Reads a value; nil for null.
    package func optional<Value>(
        _ read: (StrictJSON) throws(Problem) -> Value
    ) throws(Problem) -> Value? {
        isNull ? nil : try read(self)
    }

    /// Reads a text.
    package func text() throws(Problem) -> String {
        guard let text = JSONReader.text(bytes, range) else { throw problem("is no text") }
        return text
    }

    /// Whether the value is a text.
    package var isText: Bool { bytes[range].first == UInt8(ascii: "\"") }

    /// Whether the value is a text that begins so, as it is written.
    package func begins(with beginning: String) -> Bool {
        isText && bytes[range].dropFirst().starts(with: beginning.utf8)
    }

    /// Reads octets in base64 (RFC 4648 section 4).
    package func base64() throws(Problem) -> [UInt8] {
        guard range.count >= 2, isText else { throw problem("is no text") }
        // The alphabet has nothing that must be escaped; a text with escapes is resolved first.
        let content = bytes[range.lowerBound + 1..<range.upperBound - 1]
        if let octets = Base64.decode(content) { return octets }
        guard content.contains(UInt8(ascii: "\\")),
            let octets = Base64.decode(try text().utf8)
        else { throw problem("is no base64") }
        return octets
    }

    /// A SHA-256 digest: 64 lower-case hexadecimal digits after a prefix.
    package func digest(after prefix: String = "sha256:") throws(Problem) -> Digest {
        let text = try text()
        guard text.hasPrefix(prefix),
            let octets = Hexadecimal.decode(text.dropFirst(prefix.count).utf8),
            let digest = Digest(.sha256, bytes: octets)
        else { throw problem("is no digest; wanted `\(prefix)` and 64 digits, lower case") }
        return digest
    }

    /// Reads octets in lower-case hexadecimal, without separators.
    package func hexadecimal() throws(Problem) -> [UInt8] {
        guard let octets = Hexadecimal.decode(try text().utf8) else {
            throw problem("is not hexadecimal in lower case")
        }
        return octets
    }

    /// Reads an instant as `UTCInstant.description` writes it.
    package func instant() throws(Problem) -> UTCInstant {
        let text = try text()
        guard let instant = UTCInstant(text: text), instant.description == text else {
            throw problem("is not an instant; wanted the form 2026-11-21T12:00:00Z")
        }
        return instant
    }

    /// Reads a version of TLS, such as `tls1.3`.
    package func tlsVersion() throws(Problem) -> TLSVersion {
        let name = try text()
        guard let known = TLSVersion.allCases.first(where: { $0.name == name }) else {
            throw problem("is no version of TLS that is known here")
        }
        return known
    }

    /// Reads a text that is one of the words of a type.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ type: Word.Type
    ) throws(Problem) -> Word where Word.RawValue == String {
        let text = try text()
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw problem("is `\(text.prefix(40))`, none of \(known)")
        }
        return word
    }

    /// Reads a whole number without sign, fraction or exponent.
    package func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) throws(Problem) -> Number {
        let digits = bytes[range]
        guard digits.count <= 20, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Number(String(decoding: digits, as: UTF8.self))
        else { throw problem("is no whole number up to \(Number.max)") }
        return number
    }

    /// Reads a whole number as JSON Schema knows it: a fraction of zeros is none.
    package func integer<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) throws(Problem) -> Number {
        let digits = bytes[range].prefix { $0 != UInt8(ascii: ".") }
        let fraction = bytes[range].dropFirst(digits.count).dropFirst()
        guard fraction.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            throw problem("is no whole number up to \(Number.max)")
        }
        let whole = range.lowerBound..<range.lowerBound + digits.count
        return try StrictJSON(bytes, whole, subject: subject, name: name, pointer: pointer)
            .number(type)
    }

    private func found<Parts>(
        _ read: (inout JSONReader) throws(JSONReader.Problem) -> Parts
    ) throws(Problem) -> Parts {
        var reader = JSONReader(bytes, in: range)
        do throws(JSONReader.Problem) {
            return try read(&reader)
        } catch {
            throw Problem(
                kind: .notJSON, pointer: pointer,
                context: "it is not JSON at octet \(error.offset): \(error.reason)")
        }
    }

    /// The members of an object that were not taken yet.
    package struct Members {
        fileprivate let owner: StrictJSON
        fileprivate var values: [String: StrictJSON]

        /// Takes the member with this name. It throws when there is none.
        package mutating func take(_ name: String) throws(Problem) -> StrictJSON {
            guard let value = values.removeValue(forKey: name) else {
                throw owner.problem("has no `\(name)`")
            }
            return value
        }

        /// Takes the member with this name; nil when there is none.
        package mutating func takeIfPresent(_ name: String) -> StrictJSON? {
            values.removeValue(forKey: name)
        }

        /// Reads the member with this name; nil when there is none, and for null.
        package mutating func optional<Value>(
            _ name: String, _ read: (StrictJSON) throws(Problem) -> Value
        ) throws(Problem) -> Value? {
            try takeIfPresent(name)?.optional(read)
        }

        /// Leaves the members that were not taken to another reader.
        package mutating func leaveRest() { values = [:] }
    }
}

extension StrictJSON {
    private enum TLSWord: String, CaseIterable {
        case observed, enforced, assumed
        case notSupplied = "not-supplied"
        case cleartext
    }

    /// Reads the state of a connection's TLS parameters; `parameters` reads the parameters.
    package func tlsState(
        most: Int = .max, _ parameters: (inout Members) throws(Problem) -> TLSParameters
    ) throws(Problem) -> TLSState {
        try object(most: most) { (members) throws(Problem) in
            switch try members.take("state").word(TLSWord.self) {
            case .observed: return .observed(try parameters(&members))
            case .assumed: return .assumed(try parameters(&members))
            case .notSupplied: return .notSupplied
            case .cleartext: return .cleartext
            case .enforced:
                let rule = try members.take("rule").text()
                let digest = try members.take("policyDigest").digest()
                return .enforced(try parameters(&members), ruleID: rule, policyDigest: digest)
            }
        }
    }
}

extension Hexadecimal {
    /// The octets of lower-case hexadecimal digits, two for each octet; nil for any other text.
    fileprivate static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var octets: [UInt8] = []
        var high: UInt8?
        for character in text {
            let digit: UInt8
            switch character {
            case 0x30...0x39: digit = character - 0x30
            case 0x61...0x66: digit = character - 0x61 + 10
            default: return nil
            }
            if let first = high {
                octets.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? octets : nil
    }
}
