/// Judges the timestamps of one end entity by a log list. Each timestamp is read, its log is looked
/// up, and the log's state at the validation time is judged. The signature is verified last,
/// because that costs most. `TransparencyRule` decides how many timestamps are needed.
///
/// Embedded timestamps cover a pre-certificate, which contains the hash of the issuer's key. So
/// their judgement depends on the path. Judgements are remembered for the next path.
package struct TransparencyJudge: Sendable {
    /// The timestamps of one list, with how the list came.
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
    /// The judgement of the timestamps beside the certificate; nil until they are judged.
    private var besides: [TimestampFinding]?
    /// The judgement of the embedded timestamps, by the digest of the issuer's key. Without the
    /// issuer the pre-certificate's hash cannot be made, so under the key nil no embedded timestamp
    /// counts.
    private var embedded: [Digest?: [TimestampFinding]] = [:]

    /// Makes a judge of an end entity's timestamps. `besides` are the lists that came beside the
    /// certificate, in the order in which a trace shows them. Cost: linear in the lists; it is
    /// charged with the first judgement.
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

    /// Number of timestamps that were not read, because their lists are too long.
    package var unread: Int { deliveries.reduce(0) { $0 + $1.list.unread } }

    /// Judges every timestamp on the path where `issuer` issued the end entity; nil when the issuer
    /// is not known. Embedded timestamps come first, then the others in the order of their lists.
    /// Cost: one verification for each timestamp whose log is known and that might count.
    package mutating func judgements(
        issuer: Certificate?, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding] {
        try charge(&budget)
        let own = try embeddedJudgements(issuer, &budget)
        return own + (try besidesJudgements(&budget))
    }

    /// The timestamps beside the certificate that are valid, in the order of their lists. Cost: as
    /// their judgement.
    package mutating func validTimesBeside(
        budget: inout WorkBudget
    ) throws(WorkExhausted) -> [LoggedTime] {
        try charge(&budget)
        let judgements = try besidesJudgements(&budget)
        let entries = deliveries.filter { $0.source != .embedded }.flatMap(\.list.entries)
        // INVARIANT (one judgement for each entry, in their order): `judge` adds one.
        return zip(entries, judgements).compactMap { entry, judgement in
            guard judgement.isValid, case .timestamp(let timestamp) = entry else { return nil }
            return LoggedTime(log: timestamp.logID, milliseconds: timestamp.timestamp)
        }
    }

    private mutating func charge(_ budget: inout WorkBudget) throws(WorkExhausted) {
        guard !isCharged else { return }
        try budget.take(deliveries.reduce(1) { $0 + 1 + $1.list.octets.count / 256 })
        isCharged = true
    }

    private mutating func embeddedJudgements(
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
        let judgements = try judge(delivery, over: entry, &budget)
        embedded[issuerKey] = judgements
        return judgements
    }

    private mutating func besidesJudgements(
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding] {
        if let besides { return besides }
        var judgements: [TimestampFinding] = []
        for delivery in deliveries where delivery.source != .embedded {
            judgements += try judge(delivery, over: .certificate(endEntity.der), &budget)
        }
        besides = judgements
        return judgements
    }

    // MARK: One timestamp

    private func judge(
        _ delivery: Delivery, over entry: LogEntry?, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding] {
        var judgements: [TimestampFinding] = []
        for item in delivery.list.entries {
            switch item {
            case .unreadable(let problem):
                judgements.append(
                    TimestampFinding(
                        source: delivery.source, standing: .unusable(.unreadable(problem))))
            case .timestamp(let timestamp):
                let log = list.logs[timestamp.logID]
                judgements.append(
                    TimestampFinding(
                        source: delivery.source, logID: timestamp.logID, log: log?.name,
                        operatorName: log?.operatorName(at: timestamp.time),
                        isTiled: log?.isTiled ?? false, time: timestamp.time,
                        standing: try standing(timestamp, log, delivery, over: entry, &budget)))
            }
        }
        return judgements
    }

    private func standing(
        _ timestamp: SignedCertificateTimestamp, _ log: TransparencyLog?, _ delivery: Delivery,
        over entry: LogEntry?, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> TimestampFinding.Standing {
        guard let log else { return .unusable(.unknownLog) }
        guard let algorithm = timestamp.algorithm.known, log.allows(algorithm) else {
            return .unusable(.algorithmNotAllowed)
        }
        // The second of the timestamp has begun and need not be over: fractions are dropped on both
        // sides.
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
        guard log.key.permits(algorithm) else { return .unusable(.badSignature) }
        let outcome = crypto.verify(
            algorithm, key: log.key, keyBytes: log.keyBytes.span, message: message.span,
            signature: delivery.list.octets.span.extracting(timestamp.signature.indices))
        return outcome == .valid ? standing : .unusable(.badSignature)
    }

    /// Most lists beside the certificate that are read: one of TLS, and the lists of a few
    /// responses.
    private static let maximumDeliveries = 8
}

extension TransparencyLog {
    /// Whether the log may use this algorithm: it fits the kind of its key, and the key's size is
    /// allowed.
    fileprivate func allows(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (algorithm, key.type) {
        case (.ecdsa(.sha256), .p256): return true
        case (.rsaPKCS1(.sha256), .rsa): return key.bits >= 2_048
        default: return false
        }
    }

    /// The standing of a timestamp by the log's state.
    ///
    /// A list says which state a log has and since when, and not which state it had before.
    /// `readonly` and `retired` only follow an approval. Before `qualified` and `usable` there may
    /// have been no approval, and then the log counts as not approved. A timestamp that a log
    /// signed before it retired counts when it is embedded, because certificates live longer than
    /// logs. A timestamp beside a certificate is easy to replace.
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
