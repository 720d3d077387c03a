import TrustEngine

extension AlgorithmMismatchTexts {
    var headline: String {
        "\(Words.name(certificate)) names one signature algorithm inside and another outside"
    }

    func forEndUser(_ situation: Situation) -> String {
        "\(Words.name(certificate)) contradicts itself: it names two ways in which it is signed"
    }

    var isOfStranger: Bool { true }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("the certificate was altered"),
            .init(.server, "whoever issued it made a mistake"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        reject.forgedCautions(certificate) + [reject.altered(certificate), Reject.refusing]
    }
}
