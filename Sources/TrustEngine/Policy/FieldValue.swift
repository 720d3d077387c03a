/// The value of one field of LANGUAGE section 8, of any type. Code that treats all fields alike
/// uses this type: tables, layers, `show` and comparisons.
package enum FieldValue: Hashable, Sendable {
    /// The policy does not write the field, and the field has no default.
    case unwritten
    case integer(Int)
    case seconds(Int64)
    /// A word, given by its number in the field's list.
    case word(Int)
    /// A set of words. Bit n stands for the word with number n.
    case words(Int)
    /// Words in the order of preference, given by their numbers. No word occurs twice.
    case ranking([Int])
    case purposes(KeyPurposes)
    /// The content octets of each object identifier, sorted. No identifier occurs twice. An empty
    /// list allows any identifier.
    case objectIdentifiers([[UInt8]])
    /// Steps, sorted by date. No date occurs twice.
    case steps([LifetimeStep])
    case digest(Digest)
    /// Names, sorted. No name occurs twice.
    case names([String])
    /// Names in the order of preference. No name occurs twice. An empty list allows any name.
    case preferences([String])
    /// Entries, sorted by id.
    case forbiddenKeys([ForbiddenKey])
}

/// The kind and range of a field's values. LANGUAGE section 8 gives the ranges. For the limits that
/// LANGUAGE section 10 names, the range ends at the baseline.
package enum FieldKind: Hashable, Sendable {
    case integer(ClosedRange<Int>)
    case seconds(ClosedRange<Int64>)
    case word(FieldWords)
    /// A set of words that is not empty.
    case words(FieldWords)
    /// Words in the order of preference: at least one word, each word once.
    case ranking(FieldWords)
    case purposes
    case objectIdentifiers
    case steps
    /// The SHA-256 digest of a file.
    case digest
    case names
    case preferences
    case forbiddenKeys

    /// Whether a value is of this kind and in its range. This function does not check the order of
    /// a list: the decoder checks the order by encoding the table again.
    package func admits(_ value: FieldValue) -> Bool {
        switch (self, value) {
        case (.integer(let range), .integer(let number)): return range.contains(number)
        case (.seconds(let range), .seconds(let seconds)): return range.contains(seconds)
        case (.word(let words), .word(let number)): return words.name(of: number) != nil
        case (.words(let words), .words(let bits)): return bits > 0 && bits & ~words.mask == 0
        case (.ranking(let words), .ranking(let numbers)):
            return !numbers.isEmpty && Set(numbers).count == numbers.count
                && numbers.allSatisfy { words.name(of: $0) != nil }
        case (.digest, .digest(let digest)): return digest.algorithm == .sha256
        case (.purposes, .purposes), (.objectIdentifiers, .objectIdentifiers), (.steps, .steps),
            (.names, .names), (.preferences, .preferences), (.forbiddenKeys, .forbiddenKeys):
            return true
        case (_, _): return false
        }
    }
}

/// A closed list of words that fields take, with the number of each word in tables.
package struct FieldWords: Hashable, Sendable {
    /// One word of the list.
    package struct Word: Hashable, Sendable {
        /// The word as a policy writes it.
        package let name: String
        /// The number that a table writes for the word.
        package let number: Int
    }

    /// The name of the list's definition in the schema: `tls-version`.
    package let definition: String
    /// The words, in the order of the schema.
    package let words: [Word]

    /// Makes a list from its words and their numbers in tables.
    init(_ definition: String, _ words: [(String, Int)]) {
        self.definition = definition
        self.words = words.map { Word(name: $0.0, number: $0.1) }
    }

    /// The word with a number; nil when no word of the list has this number.
    package func name(of number: Int) -> String? { words.first { $0.number == number }?.name }

    /// The number of a word; nil when the list does not have this word.
    package func number(of name: String) -> Int? { words.first { $0.name == name }?.number }

    /// The words of a set, in the order of the schema. Bit n of `bits` is the word with number n.
    package func names(of bits: Int) -> [String] {
        words.filter { bits & 1 << $0.number != 0 }.map(\.name)
    }

    /// The set of all words, as bits.
    var mask: Int { words.reduce(0) { $0 | 1 << $1.number } }
}

/// The declaration of one field in the schema.
package struct FieldDescriptor: Hashable, Sendable {
    /// Which of two values of the field is stricter (`x-hawser-stricter`).
    package enum Strictness: Hashable, Sendable {
        /// A smaller number is stricter, or a word with a smaller number.
        case smaller
        /// A larger number is stricter, or a word with a larger number.
        case larger
        /// The value lists allowed things, and a subset is stricter.
        case subset
        /// The value lists demanded things, and a superset is stricter.
        case superset
        /// The field is compared together with other fields, by an entry of the comparison that is
        /// written for them.
        case together
        /// A different value changes no verdict.
        case none
    }

    /// How strict an optional field is when the policy does not write the field.
    package enum Unwritten: Hashable, Sendable {
        case weakest
        case strictest
    }

    /// How a field affects the judgement of revocation evidence (`x-hawser-evidence`).
    package enum EvidenceEffect: Hashable, Sendable {
        case none
        /// The field decides which evidence can say that a certificate is good. A stricter value
        /// lets less evidence say so.
        case vouches
        /// The field decides which evidence is used at all, whether the evidence says good or
        /// revoked.
        case revokes
    }

    /// The field's number in tables. Several fields can have the same number: then the value of
    /// each field is one octet, and the octets are in the order of the language.
    package let number: UInt16
    package let kind: FieldKind
    /// Whether the field can be `unwritten`.
    package let isOptional: Bool
    package let stricter: Strictness
    package let unwritten: Unwritten
    package let evidence: EvidenceEffect

    init(
        number: UInt16, kind: FieldKind, isOptional: Bool, stricter: Strictness,
        unwritten: Unwritten = .weakest, evidence: EvidenceEffect = .none
    ) {
        self.number = number
        self.kind = kind
        self.isOptional = isOptional
        self.stricter = stricter
        self.unwritten = unwritten
        self.evidence = evidence
    }

    /// Whether a value is allowed for the field.
    package func admits(_ value: FieldValue) -> Bool {
        value == .unwritten ? isOptional : kind.admits(value)
    }
}
