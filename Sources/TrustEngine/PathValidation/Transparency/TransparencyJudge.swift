/// What the timestamps of one end entity are worth under a log list: each is read, its log looked up and
/// its state at the validation time weighed, and its signature verified last, as that costs most. How many
/// are needed is the evaluator's business.
///
/// Embedded timestamps are over a pre-certificate, which the issuer's key is part of: what they are worth
/// depends on the path. What was judged is remembered for the next path.
package struct TransparencyJudge: Sendable {
    /// Timestamps that came together.
    package struct Delivery: Sendable {
        package let source: TimestampFinding.Source
        package let list: TimestampList
    }

    package let list: LogList
    private let endEntity: Certificate
    private let deliveries: [Delivery]
    private let time: UTCInstant
    private let clockSkew: Int64
    private let crypto: any CryptoBackend
    private var isCharged = false
    /// Of what lies beside the certificate.
    private var besides: [TimestampFinding]?
    /// Of what is embedded, by the issuer's key; without one where it is not known.
    private var embedded: [Digest?: [TimestampFinding]] = [:]

    /// A judge of an end entity's timestamps. `besides` are the lists that came beside it, in the order in
    /// which they shall be told. Cost: linear in them; charged with the first judgement.
    package init(
        list: LogList, endEntity: Certificate,
        besides: [(source: TimestampFinding.Source, octets: [UInt8])], time: UTCInstant,
        clockSkew: Int64, crypto: any CryptoBackend
    ) {
        var deliveries: [Delivery] = []
        let own = endEntity.layout.extensions.signedCertificateTimestamps
        if endEntity.layout.extensions.present.contains(.signedCertificateTimestamps) {
            deliveries.append(
                Delivery(
                    source: .embedded, list: TimestampList(endEntity.der.span.copied(own))))
        }
        for (source, octets) in besides.prefix(TransparencyJudge.maximumDeliveries) {
            deliveries.append(Delivery(source: source, list: TimestampList(octets)))
        }
        self.list = list
        self.endEntity = endEntity
        self.deliveries = deliveries
        self.time = time
        self.clockSkew = clockSkew
        self.crypto = crypto
    }

    /// Timestamps that stand in lists that are longer than is read.
    package var unread: Int { deliveries.reduce(0) { $0 + $1.list.unread } }

    /// What every timestamp is worth where `issuer` issued the end entity; nil where that is not known. In
    /// the order embedded, then as they were given. Cost: a verification for each whose log is known and
    /// might count.
    package mutating func findings(
        issuer: Certificate?, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding] {
        if !isCharged {
            try budget.take(deliveries.reduce(1) { $0 + 1 + $1.list.octets.count / 256 })
            isCharged = true
        }
        let own = try embeddedFindings(issuer, &budget)
        return own + (try besidesFindings(&budget))
    }

    private mutating func embeddedFindings(
        _ issuer: Certificate?, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding] {
        guard let delivery = deliveries.first, delivery.source == .embedded else { return [] }
        let issuerKey = issuer.map { issuer in
            crypto.digest(
                .sha256, of: issuer.der.span.extracting(issuer.layout.publicKey.spki.indices))
        }
        if let known = embedded[issuerKey] { return known }
        try budget.take(2 + endEntity.der.count / 512)
        let entry = issuerKey.map {
            LogEntry.preCertificate(issuerKey: $0, tbs: endEntity.preCertificateTBS)
        }
        let findings = try judge(delivery, over: entry, &budget)
        embedded[issuerKey] = findings
        return findings
    }

    private mutating func besidesFindings(
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding] {
        if let besides { return besides }
        var findings: [TimestampFinding] = []
        for delivery in deliveries where delivery.source != .embedded {
            findings += try judge(delivery, over: .certificate(endEntity.der), &budget)
        }
        besides = findings
        return findings
    }

    // MARK: One timestamp

    private func judge(
        _ delivery: Delivery, over entry: LogEntry?, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding] {
        var findings: [TimestampFinding] = []
        for item in delivery.list.entries {
            switch item {
            case .unreadable(let problem):
                findings.append(
                    TimestampFinding(
                        source: delivery.source, standing: .unusable(.unreadable(problem))))
            case .timestamp(let timestamp):
                let log = list.logs[timestamp.logID]
                findings.append(
                    TimestampFinding(
                        source: delivery.source, logID: timestamp.logID, log: log?.name,
                        operatorName: log?.operatorName(at: timestamp.time),
                        isTiled: log?.isTiled ?? false, time: timestamp.time,
                        standing: try standing(timestamp, log, delivery, over: entry, &budget)))
            }
        }
        return findings
    }

    private func standing(
        _ timestamp: SignedCertificateTimestamp, _ log: TransparencyLog?, _ delivery: Delivery,
        over entry: LogEntry?, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> TimestampFinding.Standing {
        guard let log else { return .unusable(.unknownLog) }
        guard let algorithm = timestamp.algorithm.known, log.allows(algorithm) else {
            return .unusable(.algorithmNotAllowed)
        }
        // A second that has begun is not past yet: fractions are dropped on both sides.
        guard timestamp.time <= time.advanced(bySeconds: clockSkew) else {
            return .unusable(.inFuture)
        }
        let standing = log.standing(of: timestamp, from: delivery.source, at: time)
        if case .unusable = standing { return standing }
        if let interval = log.interval,
            endEntity.notAfter < interval.from || endEntity.notAfter >= interval.until
        {
            return .unusable(.outsideInterval(from: interval.from, until: interval.until))
        }
        if log.isTiled, !timestamp.hasLeafIndex { return .unusable(.noLeafIndex) }
        guard let entry else { return .unusable(.issuerUnknown) }
        let message = entry.signedOctets(timestamp, of: delivery.list)
        try budget.take(
            SignatureCost.units(
                for: log.key, exponentBits: log.key.exponentBits(in: log.keyBytes.span),
                messageBytes: message.count))
        budget.signatures += 1
        let outcome = crypto.verify(
            algorithm, key: log.key, keyBytes: log.keyBytes.span, message: message.span,
            signature: delivery.list.octets.span.extracting(timestamp.signature.indices))
        return outcome == .valid ? standing : .unusable(.badSignature)
    }

    /// Lists beside the certificate that are looked at: one of TLS, and those of a few responses.
    private static let maximumDeliveries = 8
}

extension TransparencyLog {
    /// Whether the log may sign so: with the kind of key that it has, of a size that logs may have.
    fileprivate func allows(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (algorithm, key.type) {
        case (.ecdsa(.sha256), .p256): return true
        case (.rsaPKCS1(.sha256), .rsa): return key.bits >= 2_048
        default: return false
        }
    }

    /// What the log's state makes of a timestamp.
    ///
    /// A list says what a log is and since when, not what it was before. `readonly` and `retired` follow
    /// only upon an approval; before `qualified` or `usable` there may have been none, and that counts as
    /// none. What a retired log signed before counts where it is embedded, since certificates outlive
    /// logs; beside a certificate it is no trouble to replace.
    fileprivate func standing(
        of timestamp: SignedCertificateTimestamp, from source: TimestampFinding.Source,
        at time: UTCInstant
    ) -> TimestampFinding.Standing {
        switch state {
        case .pending, .rejected: return .unusable(.logNotApproved(state))
        case .qualified, .usable:
            return since <= time ? .approved : .unusable(.logNotApprovedYet(since: since))
        case .readonly: return .approved
        case .retired:
            if time < since { return .approved }
            return source == .embedded && timestamp.time < since
                ? .onceApproved(retired: since) : .unusable(.logRetired(since: since))
        }
    }
}
