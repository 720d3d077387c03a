import TrustEngine

/// The DER reader.
enum DERBody {
    /// Most elements that one input is walked through.
    private static let limit = 20_000

    static func run(_ bytes: [UInt8]) {
        let span = bytes.span
        var readers = [DERReader(span)]
        var elements = 0
        while let last = readers.indices.last, elements < limit {
            do {
                guard !readers[last].isAtEnd else {
                    readers.removeLast()
                    continue
                }
                let before = readers[last].position
                let element = try readers[last].next(in: span)
                elements += 1
                require(readers[last].position > before, "the reader moves on")
                let content = Int(element.content.start)
                require(
                    content >= before
                        && content + Int(element.content.count) == readers[last].position
                        && readers[last].position <= bytes.count,
                    "an element lies inside what it was read from")
                if element.tag.rawValue & 0x20 != 0, readers.count < 64 {
                    readers.append(DERReader(element.content))
                }
            } catch {
                readers.removeLast()
            }
        }
    }
}

/// Certificates, alone and in PEM, and requests.
enum CertificateBody {
    static func run(_ bytes: [UInt8]) {
        guard let certificate = try? Certificate(der: bytes) else { return }
        require(certificate.der == bytes, "a certificate keeps its octets")
        read(certificate)
    }

    /// Everything that is read later of a certificate that parses: none of it may trap.
    static func read(_ certificate: Certificate) {
        _ = certificate.subjectText
        _ = certificate.isSelfIssued
        _ = certificate.algorithmsAgree
        _ = certificate.requiresStaple
        _ = ServiceIdentity.presentedNames(of: certificate)
        var budget = WorkBudget(limit: 10_000)
        if let host = try? CanonicalHost(text: "api.acme.example") {
            _ = ServiceIdentity.match(ReferenceIdentifier(host), in: certificate, budget: &budget)
        }
        _ = NameConstraints.check(
            certificate, isEndEntity: true, under: certificate, budget: &budget)
        _ = certificate.hasNameAndKey(of: certificate)
    }

    static func runPEM(_ bytes: [UInt8]) {
        guard let blocks = try? PEM.decode(bytes.span) else { return }
        for block in blocks {
            require(
                block.range.lowerBound >= 0 && block.range.upperBound <= bytes.count,
                "a block lies inside its text")
            run(block.der)
        }
    }

    static func runRequest(_ bytes: [UInt8]) {
        _ = try? CertificationRequest(der: bytes)
    }
}

/// Name constraints of one certificate against the names of another.
enum NameConstraintsBody {
    static func run(_ bytes: [UInt8]) {
        let certificates = Framing.split(bytes, atMost: 2).compactMap { try? Certificate(der: $0) }
        guard certificates.count == 2 else { return }
        for isEndEntity in [true, false] {
            var budget = WorkBudget(limit: 50_000)
            let outcome = NameConstraints.check(
                certificates[0], isEndEntity: isEndEntity, under: certificates[1], budget: &budget)
            require(budget.spent <= budget.limit, "no more is spent than there is")
            if budget.isExhausted {
                require(outcome != .permitted, "work that ran out permits nothing")
            }
        }
    }
}
