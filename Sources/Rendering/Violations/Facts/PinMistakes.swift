import TrustEngine

/// The words for a pin whose author hashed something else that stands at hand.
enum PinMistakes {
    /// The mistaken pins of a set.
    static func of(_ mismatch: PinMismatch, _ facts: RequestFacts) -> [MistakenPin] {
        facts.mistakenPins.filter { $0.set == mismatch.set }
    }

    /// Whether the set is met once every mistaken pin is written right.
    static func explainAll(_ mismatch: PinMismatch, _ facts: RequestFacts) -> Bool {
        let keys = Set(of(mismatch, facts).map(\.certificate.fingerprint))
        return !keys.isEmpty && mismatch.matched + keys.count >= mismatch.needed
    }

    /// A clause about the first mistaken pin, behind the headline.
    static func clause(_ pin: MistakenPin) -> String {
        "pin `\(pin.pin)` is the SHA-256 of \(thing(pin.hashed)) of "
            + "\(Words.name(pin.certificate)), which no pin of this form is made from"
    }

    /// What to write.
    static func repair(_ pin: MistakenPin, place: String?) -> Repair {
        Repair(
            "write `\(pin.right)` in place of `\(pin.written)` in pin `\(pin.pin)` of set "
                + "`\(pin.set)`\(place.map { ", `\($0)`" } ?? ""): it is of the same certificate, "
                + "\(Words.name(pin.certificate))")
    }

    private static func thing(_ hashed: MistakenPin.Hashed) -> String {
        switch hashed {
        case .certificate: return "the whole certificate"
        case .key: return "the key alone"
        case .bareKey: return "the bare key, without its algorithm,"
        case .certificateText: return "the PEM text"
        case .keyText: return "the PEM text of the key"
        }
    }
}
