// The free texts of a policy, in two sections outside the policy digest: the texts, and records of
// 12 bytes (subject, field, index of the subject, text), sorted by their first three values.

/// Collects the free texts of a policy for a table.
struct AnnotationList {
    private struct Item {
        let subject: AnnotationSubject
        let field: AnnotationField
        let index: Int
        let text: String
    }

    private var items: [Item] = []

    mutating func add(
        _ text: String?, _ field: AnnotationField, of subject: AnnotationSubject, _ index: Int
    ) {
        guard let text else { return }
        items.append(Item(subject: subject, field: field, index: index, text: text))
    }

    /// The two sections.
    func encoded() -> (texts: [UInt8], records: [UInt8]) {
        let (texts, numbers) = BlobPool.gather(items.lazy.map(\.text.utf8))
        var records: [UInt8] = []
        let sorted = zip(items, numbers).sorted { left, right in
            (left.0.subject.rawValue, left.0.index, left.0.field.rawValue)
                < (right.0.subject.rawValue, right.0.index, right.0.field.rawValue)
        }
        for (item, number) in sorted {
            records.append16(item.subject.rawValue)
            records.append16(item.field.rawValue)
            records.append32(item.index)
            records.append32(number)
        }
        return (texts.encoded, records)
    }
}

/// Reads the free texts of a table.
enum Annotations {
    /// A free text; nil when there is none. Time is logarithmic in the number of texts.
    static func text(
        _ field: AnnotationField, of subject: AnnotationSubject, _ index: Int, in bytes: [UInt8],
        _ layout: TableLayout
    ) -> String? {
        let extent = layout[.annotations]
        let wanted = key(subject.rawValue, UInt32(index), field.rawValue)
        var low = 0
        var high = extent.count / TableFormat.annotationSize
        while low < high {
            let middle = (low + high) / 2
            let offset = extent.start + middle * TableFormat.annotationSize
            let found = key(at: offset, bytes.span)
            if found == wanted {
                let texts = BlobList(bytes.span, layout[.annotationTexts])
                return texts.text(Int(bytes.number32(at: offset + 8)), bytes)
            }
            if found < wanted { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Checks both sections: known numbers, right order, texts in range. Whether a record's subject
    /// exists is not checked and not relied on. Time is linear in the sections.
    static func check(_ bytes: Span<UInt8>, _ layout: TableLayout) throws(TableDecodingError) {
        let texts = try BlobList(
            checking: bytes, layout[.annotationTexts], "annotation texts")
        try texts.checkTexts(bytes, "annotation texts")
        let extent = layout[.annotations]
        guard extent.count % TableFormat.annotationSize == 0 else {
            throw .malformed("annotations: a record is cut off")
        }
        var previous: UInt64?
        for offset in stride(
            from: extent.start, to: extent.start + extent.count, by: TableFormat.annotationSize)
        {
            guard AnnotationSubject(rawValue: bytes.number16(at: offset)) != nil,
                AnnotationField(rawValue: bytes.number16(at: offset + 2)) != nil,
                Int(bytes.number32(at: offset + 8)) < texts.count
            else { throw .malformed("annotations: an unknown subject or field, or no such text") }
            let key = key(at: offset, bytes)
            if let previous, previous >= key {
                throw .malformed("annotations: a record is out of order")
            }
            previous = key
        }
    }

    private static func key(at offset: Int, _ bytes: Span<UInt8>) -> UInt64 {
        key(
            bytes.number16(at: offset), bytes.number32(at: offset + 4),
            bytes.number16(at: offset + 2))
    }

    /// Subject, index and field as one number that orders records as they are sorted.
    private static func key(_ subject: UInt16, _ index: UInt32, _ field: UInt16) -> UInt64 {
        UInt64(subject) << 48 | UInt64(index) << 16 | UInt64(field)
    }
}
