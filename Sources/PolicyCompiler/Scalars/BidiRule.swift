/// The rule for labels with right-to-left characters (RFC 5893 section 2). It makes a name readable
/// in one way only. If one label of a name has a right-to-left character, the rule applies to every
/// label.
enum BidiRule {
    private typealias Class = IDNATables.BidiClass

    /// Whether a label has a character of class R, AL or AN (RFC 5893 section 1.4).
    static func isRightToLeft(_ label: [UInt32]) -> Bool {
        label.contains { code in
            switch IDNATables.shared.kind(of: code)?.bidi {
            case .right, .arabicLetter, .arabicNumber: return true
            default: return false
            }
        }
    }

    /// A condition of RFC 5893 section 2, from 1 to 6, that a label does not meet; nil if it meets
    /// all.
    static func brokenCondition(of label: [UInt32]) -> Int? {
        let classes = label.map { IDNATables.shared.kind(of: $0)?.bidi ?? .other }
        let ending = classes.last { $0 != .nonspacingMark }
        switch classes.first {
        case .right, .arabicLetter:
            if !classes.allSatisfy(allowedRightToLeft.contains) { return 2 }
            switch ending {
            case .right, .arabicLetter, .europeanNumber, .arabicNumber: break
            default: return 3
            }
            return classes.contains(.europeanNumber) && classes.contains(.arabicNumber) ? 4 : nil
        case .left:
            if !classes.allSatisfy(allowedLeftToRight.contains) { return 5 }
            return ending == .left || ending == .europeanNumber ? nil : 6
        default:
            return 1
        }
    }

    private static let neutral: Set<Class> = [
        .europeanNumber, .europeanSeparator, .commonSeparator, .europeanTerminator, .otherNeutral,
        .boundaryNeutral, .nonspacingMark,
    ]
    private static let allowedRightToLeft = neutral.union([.right, .arabicLetter, .arabicNumber])
    private static let allowedLeftToRight = neutral.union([.left])
}
