/// The scope of CRLs for one certificate: issuer, distribution points and reasons (RFC 5280 section
/// 6.3.3(b), (d), (e)).
package struct RevocationListScope {
    private let certificate: Certificate
    /// The certificate's distribution points.
    package let points: [DistributionPoint]

    /// Reads the distribution points of a certificate. Cost: one unit for each 512 octets of them.
    package init(of certificate: Certificate, budget: inout WorkBudget) throws(WorkExhausted) {
        try budget.take(Int(certificate.layout.extensions.crlDistributionPoints.count) / 512)
        self.certificate = certificate
        self.points = certificate.distributionPoints
    }

    /// By what authority a CRL covers the certificate.
    package enum Authority: Hashable, Sendable {
        /// The certificate's issuer issued the CRL.
        case issuer
        /// A distribution point names the CRL's issuer, and the CRL is indirect.
        case delegate
    }

    /// Step (b)(1), by the names alone: the authority of a CRL; nil where the CRL does not cover
    /// the certificate.
    package func authority(
        of list: CertificateRevocationList, budget: inout WorkBudget
    ) throws(WorkExhausted) -> Authority? {
        try budget.take(1)
        if try isIssuer(of: list, &budget) { return .issuer }
        guard list.layout.isIndirect else { return nil }
        for point in points where try names(point, issuerOf: list, &budget) { return .delegate }
        return nil
    }

    /// Whether an entry with the certificate's serial number is for this certificate. The entry
    /// names the certificate's issuer, or no issuer in a CRL of the certificate's own issuer
    /// (section 5.3.3).
    package func isMeant(
        by match: PreparedRevocationList.Match, of prepared: PreparedRevocationList,
        budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        let list = prepared.list
        guard !match.issuer.isEmpty else {
            return try isIssuer(of: list, &budget)
        }
        let entries = prepared.entryOctets
        let bytes = entries.span
        var names = GeneralNameReader(match.issuer)
        while let name = try? names.next(in: bytes) {
            try budget.take(1)
            guard name.kind == .directory else { continue }
            let isMeant = try DistinguishedName.isEqual(
                bytes.extracting(name.content.indices),
                certificate.der.span.extracting(certificate.layout.issuer.indices),
                budget: &budget)
            if isMeant { return true }
        }
        return false
    }

    /// Steps (b), (d): the reasons that a CRL covers for this certificate, by the CRL's words and
    /// by the certificate's distribution points; empty when the CRL does not cover it.
    ///
    /// A CRL of the certificate's issuer counts even when no distribution point names it, as the
    /// end of section 6.3.3 says, and may list certificates of others too. *Deviation*, which
    /// refuses a `good` and never a `revoked`: that CRL does not count when every distribution
    /// point names another CRL issuer, because the issuer has then left the status to others.
    package func reasons(
        of list: CertificateRevocationList, budget: inout WorkBudget
    ) throws(WorkExhausted) -> ReasonSet {
        let scope = list.layout.distributionPoint ?? IssuingDistributionPoint()
        guard isListed(scope.contents) else { return [] }
        let isOwn = try isIssuer(of: list, &budget)
        var reasons: ReasonSet = []
        var hasOwnPoint = false
        for point in points {
            if point.crlIssuer == nil {
                hasOwnPoint = true
                guard isOwn else { continue }
            } else {
                guard scope.isIndirect, try names(point, issuerOf: list, &budget) else { continue }
            }
            if try isNamed(scope.name, of: list, alike: point, &budget) {
                reasons.formUnion(point.reasons.intersection(scope.reasons))
            }
        }
        if isOwn, points.isEmpty || hasOwnPoint,
            try isNamed(scope.name, of: list, alike: .ofIssuer, &budget)
        {
            reasons.formUnion(scope.reasons)
        }
        return reasons
    }

    /// Why a CRL that gives no reason for the certificate (`reasons`) does not cover it.
    package func problem(
        of list: CertificateRevocationList, budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem.ScopeProblem {
        let scope = list.layout.distributionPoint ?? IssuingDistributionPoint()
        guard isListed(scope.contents) else {
            switch scope.contents {
            case .attributeCertificates: return .attributesOnly
            case .everything, .userCertificates, .authorityCertificates:
                guard certificate.layout.version == 3 else { return .kindNotStated }
                return scope.contents == .userCertificates ? .endEntitiesOnly : .authoritiesOnly
            }
        }
        guard !points.isEmpty else { return .noPoint }
        if try isIssuer(of: list, &budget), points.allSatisfy({ $0.crlIssuer != nil }) {
            return .delegated
        }
        return .otherPoint
    }

    /// Step (b)(2)(ii) to (iv). By section 5.2.5 a CRL for one kind of certificates does not cover
    /// certificates of version 1 and 2, because they do not say what kind they are.
    private func isListed(_ contents: IssuingDistributionPoint.Contents) -> Bool {
        let layout = certificate.layout
        switch contents {
        case .everything: return true
        case .userCertificates: return layout.version == 3 && !layout.extensions.isCA
        case .authorityCertificates: return layout.version == 3 && layout.extensions.isCA
        case .attributeCertificates: return false
        }
    }

    // MARK: Names

    /// Whether the certificate's issuer issued a CRL, by the names.
    private func isIssuer(
        of list: CertificateRevocationList, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        guard list.layout.issuerHash == certificate.layout.issuerHash else { return false }
        return try DistinguishedName.isEqual(
            list.der.span.extracting(list.layout.issuer.indices),
            certificate.der.span.extracting(certificate.layout.issuer.indices), budget: &budget)
    }

    /// Whether a distribution point's cRLIssuer names a CRL's issuer.
    private func names(
        _ point: DistributionPoint, issuerOf list: CertificateRevocationList,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        guard let issuer = point.crlIssuer else { return false }
        let bytes = certificate.der.span
        var names = GeneralNameReader(issuer)
        while let name = try? names.next(in: bytes) {
            try budget.take(1)
            guard name.kind == .directory else { continue }
            let isNamed = try DistinguishedName.isEqual(
                bytes.extracting(name.content.indices),
                list.der.span.extracting(list.layout.issuer.indices), budget: &budget)
            if isNamed { return true }
        }
        return false
    }

    /// Step (b)(2)(i): a CRL without a distribution point name fits every point. Otherwise one of
    /// its names must be a name of the point. A point without a name has the names of its
    /// cRLIssuer, or the issuer's name.
    private func isNamed(
        _ name: DistributionPointName?, of list: CertificateRevocationList,
        alike point: DistributionPoint, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        guard let name else { return true }
        let own = try PointNames(
            name, in: list.der, below: list.layout.issuer, of: list.der, &budget)
        let wanted: PointNames
        switch (point.name, point.crlIssuer) {
        case (let name?, let issuer):
            wanted = try PointNames(
                name, in: certificate.der,
                below: issuer.flatMap(firstDirectoryName) ?? certificate.layout.issuer,
                of: certificate.der, &budget)
        case (nil, let issuer?):
            wanted = try PointNames(
                .full(issuer), in: certificate.der, below: issuer, of: [], &budget)
        case (nil, nil):
            wanted = PointNames(directory: certificate.layout.issuer, in: certificate.der)
        }
        return try own.overlaps(wanted, &budget)
    }

    private func firstDirectoryName(_ names: ByteRange) -> ByteRange? {
        var reader = GeneralNameReader(names)
        while let name = try? reader.next(in: certificate.der.span) {
            if name.kind == .directory { return name.content }
        }
        return nil
    }
}

/// The names of a distribution point. A relative name is put below its base.
private struct PointNames {
    private let bytes: [UInt8]
    private let names: [GeneralName]

    /// Reads the names of a distribution point in `bytes`. A relative name is put below the name
    /// that lies at `base` in `baseBytes`. Cost: one unit for each 512 octets.
    init(
        _ name: DistributionPointName, in bytes: [UInt8], below base: ByteRange,
        of baseBytes: [UInt8], _ budget: inout WorkBudget
    ) throws(WorkExhausted) {
        switch name {
        case .full(let range):
            try budget.take(Int(range.count) / 512)
            var names: [GeneralName] = []
            var reader = GeneralNameReader(range)
            while let name = try? reader.next(in: bytes.span) { names.append(name) }
            self.bytes = bytes
            self.names = names
        case .relative(let range):
            try budget.take((Int(range.count) + Int(base.count)) / 512)
            let whole = DistinguishedName.appending(
                relative: bytes.span.extracting(range.indices),
                to: baseBytes.span.extracting(base.indices))
            self.bytes = whole
            self.names = [
                GeneralName(kind: .directory, content: ByteRange(start: 0, count: whole.count))
            ]
        }
    }

    /// Makes the value from one directory name.
    init(directory name: ByteRange, in bytes: [UInt8]) {
        self.bytes = bytes
        self.names = [GeneralName(kind: .directory, content: name)]
    }

    /// Whether both values have a name in common. Directory names are compared as names, other
    /// names octet by octet.
    func overlaps(
        _ other: PointNames, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        for mine in names {
            for theirs in other.names where mine.kind == theirs.kind {
                try budget.take(1)
                let left = bytes.span.extracting(mine.content.indices)
                let right = other.bytes.span.extracting(theirs.content.indices)
                let isEqual =
                    mine.kind == .directory
                    ? try DistinguishedName.isEqual(left, right, budget: &budget)
                    : left.octetsEqual(right)
                if isEqual { return true }
            }
        }
        return false
    }
}

extension DistinguishedName {
    /// A name with one more relative name, tag and length included. `relative` is the content of
    /// the relative name's SET.
    package static func appending(
        relative: Span<UInt8>, to name: Span<UInt8>
    ) -> [UInt8] {
        var content: [UInt8] = []
        var outer = DERReader(name)
        if let base = try? outer.next(.sequence, in: name) {
            content = name.copied(base.content)
        }
        let set = ByteRange(start: 0, count: relative.count)
        return DERTag.sequence.element(content, DERTag.set.element(relative.copied(set)))
    }
}
