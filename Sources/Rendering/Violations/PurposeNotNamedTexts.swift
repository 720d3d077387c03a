import TrustEngine

extension PurposeNotNamedTexts {
    var headline: String {
        "\(Words.name(certificate)) names "
            + "\(named.isEmpty ? "no key purpose" : Words.list(named)), and the standard "
            + "`web-pki` demands that it names one of \(Words.list(wanted))"
    }

    var citation: String { StandardDemand.citation("BR §7.1.2.7.10") }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) does not say that it is made for \(Words.list(wanted)), as the "
            + "standard of public authorities (`web-pki`) demands"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofIssuing(certificate, situation)
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "have \(Words.name(certificate)) issued anew, with \(Words.list(wanted)) in its "
                    + "extended key usage"), Reject.whetherPublic,
        ]
    }
}
