package import TrustEngine

/// One case of a test: a host or a chain, and the expectations.
package struct TestCase: Sendable {
    /// The question of a case.
    package enum Subject: Sendable {
        /// Only the policy: its rule for a host.
        case statement
        /// The engine, of a chain: the path of its file from the unit's root.
        case chain(Located<String>)
        /// The engine, of a connection without TLS.
        case cleartext(SourceSpan)
        /// The engine, of a request that a receipt recorded.
        case receipt(Located<ScannedReceiptLine>)

        /// Whether the engine judges.
        package var isJudged: Bool {
            if case .statement = self { return false }
            return true
        }
    }

    /// A check that programs register, with its assumed answer.
    package struct AssumedCheck: Hashable, Sendable {
        /// The assumed answer of a check.
        package enum Answer: String, Hashable, Sendable, CaseIterable {
            case pass, fail
        }

        package let name: Located<String>
        package let answer: Answer

        package func hash(into hasher: inout Hasher) {
            hasher.combine(name.value)
            hasher.combine(answer)
        }

        package static func == (left: AssumedCheck, right: AssumedCheck) -> Bool {
            left.name.value == right.name.value && left.answer == right.answer
        }
    }

    /// The reply of CRLite filters about the end entity.
    package enum FilterReply: String, Hashable, Sendable, CaseIterable {
        case good, revoked
        case notEnrolled = "not-enrolled"
        case notCovered = "not-covered"
    }

    /// The name, which no other case of the test file has.
    package let name: String
    /// The span of the name; of a case in a folder of its own, the start of its file.
    package let place: SourceSpan
    /// The host; nil where a receipt has it.
    package var host: Located<CanonicalHost>?
    /// The port: 443 unless the case has another.
    package var port: UInt16 = 443
    package var at: Located<UTCInstant>?
    /// The file that stands for the machine's store. Every path is from the unit's root.
    package var system: Located<String>?
    package var subject = Subject.statement
    package var tls = TLSParameters(version: .tls13)
    package var staple: Located<String>?
    package var ocsp: [Located<String>] = []
    package var crls: [Located<String>] = []
    package var timestamps: Located<String>?
    /// A folder of evidence.
    package var evidence: Located<String>?
    /// The reply of filters; nil for a request without filters.
    package var filterReply: Located<FilterReply>?
    /// The newest time that these filters cover; nil for the clock of the case.
    package var filtersNewest: Located<UTCInstant>?
    package var assumed: [AssumedCheck] = []
    package var expected = TestExpectation()

    package init(name: String, place: SourceSpan) {
        self.name = name
        self.place = place
    }
}

/// The expectations of a case. A nil was not written and is not compared.
package struct TestExpectation: Sendable {
    /// The verdict that the engine must give.
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        case accept, reject
    }

    /// A field that `show` prints, with the value that it must have.
    package struct Field: Sendable {
        /// The name with dots.
        package let name: Located<String>
        package let value: Located<ExpectedValue>
    }

    package var rule: Located<String>?
    /// The canonical text of the pattern.
    package var pattern: Located<HostPattern>?
    package var anchors: BoundList<String>?
    package var pins: BoundList<String>?
    package var verdict: Located<Verdict>?
    package var violations: BoundList<String>?
    package var reported: BoundList<String>?
    package var notices: BoundList<String>?
    package var fields: [Field] = []

    /// Whether nothing is expected.
    package var isEmpty: Bool {
        rule == nil && pattern == nil && anchors == nil && pins == nil && fields.isEmpty
            && !asksVerdict
    }

    /// Whether something is expected that only the engine says.
    package var asksVerdict: Bool {
        verdict != nil || violations != nil || reported != nil || notices != nil
    }
}

/// A value as a test writes it. Numbers and words are texts here; the field decides what they are.
package indirect enum ExpectedValue: Hashable, Sendable {
    case scalar(String)
    case list([ExpectedValue])
    case map([Entry])

    /// One entry of a map.
    package struct Entry: Hashable, Sendable {
        package let key: String
        package let value: ExpectedValue

        package init(key: String, value: ExpectedValue) {
            self.key = key
            self.value = value
        }
    }
}
