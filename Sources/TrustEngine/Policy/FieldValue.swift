/// The value of one field of LANGUAGE section 8, whatever its type: for everything that treats all
/// fields alike, as tables, layers, `show` and comparisons do.
package enum FieldValue: Hashable, Sendable {
    /// Nothing is written, and the field has no default.
    case unwritten
    case integer(Int)
    case seconds(Int64)
    /// A word, by its number in the field's list.
    case word(Int)
    /// A set of words: bit n stands for the word of number n.
    case words(Int)
    /// Words in the order of preference, by their numbers, each once.
    case ranking([Int])
    case purposes(KeyPurposes)
    /// Contents octets of each object identifier, sorted, each once; empty for any.
    case objectIdentifiers([[UInt8]])
    /// Sorted by date, each date once.
    case steps([LifetimeStep])
    case digest(Digest)
    /// Sorted, each once.
    case names([String])
    /// In the order of preference, each once; empty for any.
    case preferences([String])
    /// Sorted by id.
    case forbiddenKeys([ForbiddenKey])
}

/// Which values a field takes: the ranges of LANGUAGE section 8, where the baseline is the floor.
package enum FieldKind: Hashable, Sendable {
    case integer(ClosedRange<Int>)
    case seconds(ClosedRange<Int64>)
    case word(FieldWords)
    /// A set of words, not empty.
    case words(FieldWords)
    /// Words in the order of preference, at least one, each once.
    case ranking(FieldWords)
    case purposes
    case objectIdentifiers
    case steps
    /// SHA-256 of a file.
    case digest
    case names
    case preferences
    case forbiddenKeys

    /// Whether a value is of this kind and in its range. Of a list it says nothing about order: a
    /// table's lists are held to theirs by being encoded again.
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

/// A closed list of words that fields take, with the numbers that tables write for them.
package struct FieldWords: Hashable, Sendable {
    /// One of the words.
    package struct Word: Hashable, Sendable {
        /// As a policy writes it.
        package let name: String
        /// As a table writes it.
        package let number: Int
    }

    /// The definition's name in the schema: `tls-version`.
    package let definition: String
    /// In the order of the schema.
    package let words: [Word]

    /// A list with each word's number in tables.
    init(_ definition: String, _ words: [(String, Int)]) {
        self.definition = definition
        self.words = words.map { Word(name: $0.0, number: $0.1) }
    }

    /// The word of a number; nil when the list has none.
    package func name(of number: Int) -> String? { words.first { $0.number == number }?.name }

    /// The number of a word; nil when the list does not have it.
    package func number(of name: String) -> Int? { words.first { $0.name == name }?.number }

    /// The words of a set, in the order of the schema.
    package func names(of bits: Int) -> [String] {
        words.filter { bits & 1 << $0.number != 0 }.map(\.name)
    }

    /// The set of all words.
    var mask: Int { words.reduce(0) { $0 | 1 << $1.number } }
}

/// What the schema says of one field.
package struct FieldDescriptor: Hashable, Sendable {
    /// Which way a value of the field is stricter (`x-hawser-stricter`).
    package enum Strictness: Hashable, Sendable {
        /// A smaller number, or a word of a smaller number.
        case smaller
        /// A larger number, or a word of a larger number.
        case larger
        /// A list of what is allowed, of which less is stricter.
        case subset
        /// A list of what is demanded, of which more is stricter.
        case superset
        /// An entry of its own compares the field, together with others.
        case together
        /// A difference changes no verdict.
        case none
    }

    /// What a field is where nothing is written and it has no default.
    package enum Unwritten: Hashable, Sendable {
        case weakest
        case strictest
    }

    /// What a field decides of evidence of revocation (`x-hawser-evidence`).
    package enum EvidenceEffect: Hashable, Sendable {
        case none
        /// Which evidence vouches: the stricter the value, the less does.
        case vouches
        /// Which evidence is heard at all, whatever it says.
        case revokes
    }

    /// The number in tables. Fields of one number are one octet each, in the order of the language.
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

    /// Whether the field can have a value.
    package func admits(_ value: FieldValue) -> Bool {
        value == .unwritten ? isOptional : kind.admits(value)
    }
}
