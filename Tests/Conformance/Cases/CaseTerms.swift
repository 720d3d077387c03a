import TrustEngine

/// How a run judges every case, besides what the case itself says.
package struct CaseTerms: Hashable, Sendable {
    /// What a breach of a demand does that a standard addresses to those who issue certificates
    /// (`path.issuance`).
    package enum Issuance: Hashable, Sendable {
        /// A violation. The expectations of the vectors are written for it.
        case enforce
        /// A violation, but for the demands with these ids: the waiver `issuance` names them.
        case enforceUnlessWaived(Set<String>)
        /// A notice of the accept: the language's default.
        case report
    }

    /// How a rule comes to trust the certificates that a case trusts.
    package enum Anchors: String, Hashable, Sendable, CaseIterable {
        /// An anchor set with files, and with the standard of the case.
        case asInCase = "case"
        /// An anchor set with files and nothing else.
        case files
        /// An anchor set with files and `standard: web-pki`.
        case webPKI = "web-pki"
        /// The built-in set `system`: the certificates are the machine's store.
        case system

        /// The standard of the anchors, where it is not the one of the case.
        var standard: Standard? {
            switch self {
            case .asInCase: return nil
            case .files: return .rfc5280
            case .webPKI, .system: return .webPKI
            }
        }
    }

    package var issuance: Issuance
    package var anchors: Anchors

    package init(issuance: Issuance = .enforce, anchors: Anchors = .asInCase) {
        self.issuance = issuance
        self.anchors = anchors
    }
}
