internal import CLibYAML

/// One event of libyaml, without its C parts. Offsets are bytes of the text that the reader got.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias, scalar, listStart, listEnd, mapStart, mapEnd
    }

    var kind: Kind
    var start: Int
    var end: Int
    var style = SyntaxNode.Style.plain
    /// Whether the scalar is folded (`>`). `style` is then literal.
    var isFolded = false
    var hasTag = false
    var hasAnchor = false
    /// Whether the start or end of a document is not written in the text.
    var isImplicit = false
    /// The number of bytes of a scalar's text.
    var length = 0
}

/// Why libyaml stopped.
struct YAMLProblem: Error {
    /// The words of libyaml, such as `did not find expected key`.
    var problem: String
    var offset: Int
    /// What libyaml was reading, such as `while parsing a block mapping`; may be empty.
    var context: String
    var contextOffset: Int
}

/// libyaml's event interface for one text. Owns the parser and the event, and exists only while the
/// text is held for it (`read`).
///
/// This is the only file of the compiler that uses C. libyaml's marks count characters, not bytes
/// (0.2.5: `SKIP` in `scanner.c` adds one to `mark.index` for every character), so a cursor that
/// follows the marks turns them into byte offsets.
@safe struct LibYAMLReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let event: UnsafeMutablePointer<yaml_event_t>
    private let input: UnsafeBufferPointer<UInt8>
    private let isASCII: Bool
    private var cursor = (character: 0, byte: 0)
    private var isStarted: Bool

    /// Gives a reader at the start of a text, which must be UTF-8 without a byte order mark.
    /// libyaml reads the text where it stands.
    static func read<Result>(
        _ bytes: [UInt8], isASCII: Bool, _ body: (inout LibYAMLReader) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBufferPointer { input in
            var reader = unsafe LibYAMLReader(input, isASCII: isASCII)
            return body(&reader)
        }
    }

    private init(_ input: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
        unsafe parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        unsafe event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
        unsafe self.input = unsafe input
        unsafe parser.initialize(to: yaml_parser_t())
        unsafe event.initialize(to: yaml_event_t())
        self.isASCII = isASCII
        isStarted = unsafe yaml_parser_initialize(parser) == 1
        guard isStarted else { return }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        unsafe yaml_event_delete(event)
        if isStarted { unsafe yaml_parser_delete(parser) }
        unsafe event.deallocate()
        unsafe parser.deallocate()
    }

    /// The next event. After a problem, and after the end of the stream, there is none.
    mutating func next() throws(YAMLProblem) -> YAMLEvent {
        unsafe yaml_event_delete(event)
        guard isStarted, unsafe yaml_parser_parse(parser, event) == 1 else { throw problem() }
        let start = byteOffset(unsafe event.pointee.start_mark.index)
        let end = byteOffset(unsafe event.pointee.end_mark.index)
        return current(start: start, end: max(start, end))
    }

    /// The text of the scalar just read.
    borrowing func scalarText() -> String {
        guard unsafe event.pointee.type == YAML_SCALAR_EVENT,
            let value = unsafe event.pointee.data.scalar.value
        else { return "" }
        let bytes = unsafe UnsafeBufferPointer(
            start: value, count: event.pointee.data.scalar.length)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the last scalar's text equals the bytes of the input in a range.
    borrowing func scalarMatches(_ range: Range<Int>) -> Bool {
        guard unsafe event.pointee.type == YAML_SCALAR_EVENT,
            let value = unsafe event.pointee.data.scalar.value,
            unsafe event.pointee.data.scalar.length == range.count,
            range.lowerBound >= 0, unsafe range.upperBound <= input.count
        else { return false }
        guard let start = unsafe input.baseAddress else { return range.isEmpty }
        let (left, right) = unsafe (
            UnsafeRawPointer(start + range.lowerBound), UnsafeRawPointer(value)
        )
        var index = 0
        while index + 8 <= range.count {
            guard
                unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            else { return false }
            index += 8
        }
        while index < range.count {
            guard
                unsafe left.load(fromByteOffset: index, as: UInt8.self)
                    == right.load(fromByteOffset: index, as: UInt8.self)
            else { return false }
            index += 1
        }
        return true
    }

    private borrowing func current(start: Int, end: Int) -> YAMLEvent {
        var result = YAMLEvent(kind: .streamEnd, start: start, end: end)
        switch unsafe event.pointee.type {
        case YAML_STREAM_START_EVENT: result.kind = .streamStart
        case YAML_DOCUMENT_START_EVENT:
            result.kind = .documentStart
            result.isImplicit = unsafe event.pointee.data.document_start.implicit != 0
        case YAML_DOCUMENT_END_EVENT:
            result.kind = .documentEnd
            result.isImplicit = unsafe event.pointee.data.document_end.implicit != 0
        case YAML_ALIAS_EVENT: result.kind = .alias
        case YAML_SCALAR_EVENT: readScalar(into: &result)
        case YAML_SEQUENCE_START_EVENT:
            let data = unsafe event.pointee.data.sequence_start
            result.kind = .listStart
            result.hasTag = unsafe data.tag != nil
            result.hasAnchor = unsafe data.anchor != nil
            result.style = unsafe data.style == YAML_FLOW_SEQUENCE_STYLE ? .flow : .block
        case YAML_SEQUENCE_END_EVENT: result.kind = .listEnd
        case YAML_MAPPING_START_EVENT:
            let data = unsafe event.pointee.data.mapping_start
            result.kind = .mapStart
            result.hasTag = unsafe data.tag != nil
            result.hasAnchor = unsafe data.anchor != nil
            result.style = unsafe data.style == YAML_FLOW_MAPPING_STYLE ? .flow : .block
        case YAML_MAPPING_END_EVENT: result.kind = .mapEnd
        default: result.kind = .streamEnd
        }
        return result
    }

    private borrowing func readScalar(into result: inout YAMLEvent) {
        let data = unsafe event.pointee.data.scalar
        result.kind = .scalar
        result.hasTag = unsafe data.tag != nil
        result.hasAnchor = unsafe data.anchor != nil
        result.length = unsafe data.length
        switch unsafe data.style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: result.style = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: result.style = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: result.style = .literal
        case YAML_FOLDED_SCALAR_STYLE:
            result.style = .literal
            result.isFolded = true
        default: result.style = .plain
        }
    }

    private mutating func problem() -> YAMLProblem {
        guard isStarted, let words = unsafe parser.pointee.problem else {
            return YAMLProblem(
                problem: "out of memory", offset: cursor.byte, context: "",
                contextOffset: cursor.byte)
        }
        let context = unsafe parser.pointee.context
        let offset = byteOffset(unsafe parser.pointee.problem_mark.index)
        return YAMLProblem(
            problem: unsafe String(cString: words), offset: offset,
            context: unsafe context.map { unsafe String(cString: $0) } ?? "",
            contextOffset: unsafe context == nil
                ? offset : byteOffset(parser.pointee.context_mark.index))
    }

    /// The number of bytes before a character. Marks ascend from event to event, so the cursor
    /// seldom moves back. O(distance).
    private mutating func byteOffset(_ character: Int) -> Int {
        if isASCII { return unsafe min(character, input.count) }
        if character < cursor.character { cursor = (0, 0) }
        while cursor.character < character, unsafe cursor.byte < input.count {
            cursor.byte += 1
            while unsafe cursor.byte < input.count && input[cursor.byte] & 0xC0 == 0x80 {
                cursor.byte += 1
            }
            cursor.character += 1
        }
        return cursor.byte
    }
}
