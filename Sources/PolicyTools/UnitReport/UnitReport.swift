package import Rendering
package import TrustEngine

/// Everything that a reader wants to know of a unit at an instant: who may speak for which hosts,
/// until when, and its faults. The page and the JSON are both written from it.
package struct UnitReport: Sendable {
    /// A class of hosts. Its number is its index in `classes`, from 1.
    package struct HostEntry: Sendable {
        package let hosts: PolicyDiff.HostText
        /// The number of classes around this one.
        package let depth: Int
        /// The number of the nearest class around it, whose pattern covers all its hosts; nil where
        /// there is none.
        package let outer: Int?
        /// The pattern that decides; nil for `default`.
        package let pattern: String?
        package let location: Provenance.Location?
        package let rule: RuleReference
        package let note: String?
        package let witness: PolicyDiff.Witness
        /// The index in `demands`.
        package let demands: Int
        /// The indices in `exceptions` of its rule's exceptions.
        package let exceptions: [Int]
        /// How its rule compares with the rule of the class around it, or with `default`; nil where
        /// there is none, or where it denies.
        package let comparison: Comparison?
    }

    /// How the rule of a class compares with the rule around it, at the instant of the report.
    package struct Comparison: Hashable, Sendable {
        package let relation: Relation
        /// The rule around it; empty for `default`.
        package let rule: String
        /// The fields that differ, and how.
        package let fields: [ComparedField]
    }

    /// A field in which two rules differ.
    package struct ComparedField: Hashable, Sendable {
        /// `keys.rsa-minimum`.
        package let path: String
        package let relation: Relation
        /// Both values in a sentence.
        package let sentence: String
    }

    /// The demands on some classes, whichever rule makes them.
    package struct Demands: Sendable {
        package let isDenied: Bool
        /// Ids of anchor sets; empty where the anchors are the pinned keys.
        package let anchors: [String]
        package let arePinnedKeys: Bool
        /// Ids of pin sets.
        package let pins: [String]
        /// Whether a key that is not pinned is rejected at the instant of the report.
        package let pinsBind: Bool
        /// What the rule writes, in short: what `show --classes` prints.
        package let fields: [EffectiveRule.Field]
        /// The fields of `UnitReport.strictness`, as text.
        package let strictness: [(field: ProfileField, value: String)]
        /// How soon a revocation takes effect, as a sentence; nil where the hosts are denied.
        package let guarantee: String?
        /// The numbers of the classes.
        package internal(set) var classes: [Int]
    }

    /// The rules and the classes that use something.
    package struct Uses: Hashable, Sendable {
        /// Ids of rules, sorted; `default` is the empty id.
        package var rules: [String] = []
        package var classes = 0
    }

    /// An anchor set.
    package struct AnchorEntry: Sendable {
        package let id: String
        package let owner: String?
        package let location: Provenance.Location?
        /// Its fields but for its members.
        package let fields: [EffectiveRule.Field]
        package let certificates: [AnchorCertificate]
        package let uses: Uses
    }

    /// A certificate of an anchor set.
    package struct AnchorCertificate: Sendable {
        package let facts: CertificateFacts
        package let standing: Standing
        /// When it begins or ends, as a sentence.
        package let sentence: String
    }

    /// Where the instant of the report lies in the time of something.
    package enum Standing: String, Hashable, Sendable, CaseIterable {
        case begins = "not yet"
        case lasts = "valid"
        /// It ends, or ages, within the horizon.
        case ends = "ending"
        case over = "ended"
    }

    /// Where the instant of the report lies in the time of an exception.
    package enum ExceptionStanding: String, Hashable, Sendable, CaseIterable {
        case inForce = "in force"
        /// It is in force, and ends within the horizon.
        case ending
        case over = "ended"
    }

    /// A pin set.
    package struct PinEntry: Sendable {
        package let id: String
        package let owner: String?
        package let location: Provenance.Location?
        package let fields: [EffectiveRule.Field]
        package let standing: Standing
        /// Until when it is enforced, and what follows, as sentences.
        package let sentences: [String]
        package let uses: Uses
    }

    /// A waiver, or an entry of `report-only`.
    package struct ExceptionEntry: Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case waiver
            case reportOnly = "report-only"
        }

        package let kind: Kind
        package let check: String
        /// The failures that it lets through, and until when.
        package let sentence: String
        package let until: UTCInstant
        package let standing: ExceptionStanding
        package let owner: String?
        package let reason: String?
        package let ticket: String?
        /// The limit of a waiver: `tolerance: 14d`.
        package let limit: String?
        package let note: String?
        package let origin: FieldOrigin?
        package internal(set) var uses: Uses
    }

    /// Authorities that vouch for the same classes.
    package struct SurfaceRow: Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A waiver lets certificates pass that anyone can make, or no certificate at all.
            case anyone
            /// The machine's store, whatever is in it.
            case store
            /// Authorities that anchor sets list.
            case listed
            /// Keys that are pinned and are the only anchors.
            case pinnedKeys = "pinned-keys"
        }

        package let kind: Kind
        /// The names of the authorities, or of the pinned keys.
        package let authorities: [String]
        /// Ids of the sets that list them.
        package let sets: [String]
        /// The number of classes that they vouch for.
        package let classes: Int
        /// The number of these whose pins bind, so that an authority vouches only for chosen keys.
        package let pinned: Int
        /// Whether hosts that no pattern matches are among the classes.
        package let holdsDefault: Bool
    }

    /// The next instant at which something starts to reject.
    package struct NextReject: Sendable {
        package let instant: UTCInstant
        package let subject: String
        package let sentence: String
    }

    /// The unit or the table, as the command line names it.
    package let name: String
    package let policyDigest: Digest
    package let time: UTCInstant
    /// What ends until then is told as ending.
    package let until: UTCInstant
    package let ruleCount: Int
    /// In the order of a tree: each class behind the class around it.
    package let classes: [HostEntry]
    package let demands: [Demands]
    package let anchors: [AnchorEntry]
    package let pins: [PinEntry]
    /// By end, the first to end first.
    package let exceptions: [ExceptionEntry]
    /// The most classes first.
    package let surface: [SurfaceRow]
    package let next: NextReject?
    /// What the linter finds; nil for a table, which has no text to lint.
    package let findings: FindingReport?
    /// The files of the unit, for the lines that findings cite; empty for a table.
    package let files: [PolicySourceFile]

    /// The number of classes that no rule decides and `default` denies, or that a rule denies.
    package var deniedCount: Int {
        demands.filter(\.isDenied).reduce(0) { $0 + $1.classes.count }
    }

    /// The fields that say at a glance how strict a rule is. All others stand in `show`.
    package static let strictness: [ProfileField] = [
        .tlsMinimumVersion, .rsaMinimum, .minimumHash, .maximumLifetime, .revocationPreset,
        .transparencyPreset,
    ]
}

/// A report with what its renderers need besides.
package struct UnitReportDocument: Sendable {
    package let report: UnitReport
    /// The command line that asks the same again.
    package let command: String
    /// The version of the tool, by Semantic Versioning.
    package let version: String

    package init(_ report: UnitReport, command: String, version: String) {
        self.report = report
        self.command = command
        self.version = version
    }
}
