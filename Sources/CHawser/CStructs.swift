import CHawserABI

/// A C struct whose first field is its size.
protocol SizedStruct {
    /// The size of the struct in octets, for each version of the interface that added fields to it,
    /// oldest version first (`hawser_sizes.h`).
    static var sizes: [Int] { get }

    /// Makes a struct of zeros.
    init()
}

extension hawser_error: SizedStruct {
    static let sizes = [HAWSER_ERROR_SIZE_1]
}

extension hawser_store_options: @unsafe SizedStruct {
    static let sizes = [HAWSER_STORE_OPTIONS_SIZE_1]
}

extension hawser_snapshot: SizedStruct {
    static let sizes = [HAWSER_SNAPSHOT_SIZE_1]
}

extension hawser_request: @unsafe SizedStruct {
    static let sizes = [HAWSER_REQUEST_SIZE_1]
}

extension hawser_outcome: SizedStruct {
    static let sizes = [HAWSER_OUTCOME_SIZE_1]
}

extension hawser_state: SizedStruct {
    static let sizes = [HAWSER_STATE_SIZE_1]
}

extension hawser_shadow_options: @unsafe SizedStruct {
    static let sizes = [HAWSER_SHADOW_OPTIONS_SIZE_1]
}

extension hawser_shadow_counts: SizedStruct {
    static let sizes = [HAWSER_SHADOW_COUNTS_SIZE_1]
}

extension hawser_demanded: SizedStruct {
    static let sizes = [HAWSER_DEMANDED_SIZE_1]
}

extension hawser_fetcher_options: @unsafe SizedStruct {
    static let sizes = [HAWSER_FETCHER_OPTIONS_SIZE_1]
}

/// A struct in the caller's memory, whose size and address were checked.
///
/// The caller may be compiled against an older or a later header. Fields that an older struct does
/// not have are read as zero and are not written. Fields of a later struct that this library does
/// not know must be zero where the library reads the struct, because they would ask for something
/// that the library cannot do. Where the library writes the struct, it sets these fields to zero.
@safe struct CheckedStruct<Value: SizedStruct & BitwiseCopyable> {
    private let pointer: UnsafeMutableRawPointer
    /// The size that the caller set.
    private let size: Int

    /// Checks a struct that must be there.
    init(
        _ pointer: UnsafePointer<Value>?, _ name: String, readsAll: Bool = true
    ) throws(CallFailure) {
        guard let pointer = unsafe pointer else { throw .null(name) }
        guard UInt(bitPattern: pointer) % UInt(MemoryLayout<Value>.alignment) == 0 else {
            throw CallFailure(
                HAWSER_E_ARGUMENT, "misaligned", "`\(name)` does not stand where a struct can")
        }
        let raw = unsafe UnsafeRawPointer(pointer)
        let size = unsafe raw.load(as: Int.self)
        let known = MemoryLayout<Value>.size
        guard size >= known ? size <= Int(HAWSER_STRUCT_LIMIT) : Value.sizes.contains(size) else {
            throw CallFailure(
                HAWSER_E_ARGUMENT, "struct-size",
                "`\(name).size` is \(UInt(bitPattern: size)), and no version of the interface has a "
                    + "struct of that size, the smallest has \(Value.sizes.first ?? known): fill it "
                    + "with zeros and set `size` to sizeof")
        }
        if readsAll, size > known {
            for offset in known..<size
            where unsafe raw.load(fromByteOffset: offset, as: UInt8.self) != 0 {
                throw CallFailure(
                    HAWSER_E_ARGUMENT, "struct-newer",
                    "`\(name)` sets a field at octet \(offset) that this library does not have")
            }
        }
        unsafe self.pointer = UnsafeMutableRawPointer(mutating: raw)
        self.size = size
    }

    /// Checks a struct that the library writes; nil where the caller passes NULL.
    init?(optional pointer: UnsafeMutablePointer<Value>?, _ name: String) throws(CallFailure) {
        guard let pointer = unsafe pointer else { return nil }
        try unsafe self.init(UnsafePointer(pointer), name, readsAll: false)
    }

    /// A copy of the fields that both the caller and the library have. The other fields of the
    /// library's struct are zero.
    var value: Value {
        if size >= MemoryLayout<Value>.size { return unsafe pointer.load(as: Value.self) }
        var value = Value()
        unsafe withUnsafeMutableBytes(of: &value) { copy in
            unsafe copy.copyMemory(
                from: UnsafeRawBufferPointer(start: pointer, count: min(size, copy.count)))
        }
        return value
    }

    /// Writes the fields that the caller's struct has. Fields that the library does not know become
    /// zero. The size stays as the caller set it.
    func write(_ value: Value) {
        unsafe withUnsafeBytes(of: value) { fields in
            let shared = min(size, fields.count)
            unsafe pointer.copyMemory(from: fields.baseAddress!, byteCount: shared)
            unsafe (pointer + shared).initializeMemory(
                as: UInt8.self, repeating: 0, count: size - shared)
        }
        unsafe pointer.storeBytes(of: size, as: Int.self)
    }
}

/// Reads octets and names in the caller's memory, after checking their addresses and lengths.
/// Borrowed octets may be read until the call returns; copied octets outlive it.
enum CInput {
    /// Octets where they stand; nil where they are absent (NULL with length 0).
    @inline(__always)
    static func borrowed(
        _ pointer: UnsafeRawPointer?, _ length: Int, limit: Int, _ name: String
    ) throws(CallFailure) -> BorrowedOctets? {
        // A `size_t` above the largest `Int` is negative here.
        guard length >= 0, length <= limit else { throw .beyond(limit, name) }
        guard let pointer = unsafe pointer else {
            guard length == 0 else { throw .null(name) }
            return nil
        }
        return unsafe BorrowedOctets(checked: pointer, count: length)
    }

    /// Octets where they stand; nil where they are absent.
    @inline(__always)
    static func borrowed(
        _ bytes: hawser_bytes, limit: Int, _ name: String
    ) throws(CallFailure) -> BorrowedOctets? {
        try unsafe borrowed(bytes.data, bytes.length, limit: limit, name)
    }

    /// A copy of octets; nil where they are absent.
    static func octets(
        _ pointer: UnsafeRawPointer?, _ length: Int, limit: Int, _ name: String
    ) throws(CallFailure) -> [UInt8]? {
        try unsafe borrowed(pointer, length, limit: limit, name)?.copy
    }

    /// A copy of octets; nil where they are absent.
    static func octets(
        _ bytes: hawser_bytes, limit: Int, _ name: String
    ) throws(CallFailure) -> [UInt8]? {
        try unsafe borrowed(bytes, limit: limit, name)?.copy
    }

    /// Several runs of octets where they stand. None may be absent. Together they may have at most
    /// `budget` octets; their lengths are subtracted from it.
    static func borrowedList(
        _ pointer: UnsafePointer<hawser_bytes>?, _ count: Int, limit: Int = limitItems,
        budget: inout Int, _ name: String
    ) throws(CallFailure) -> BorrowedList {
        let items = try unsafe array(pointer, count, limit: limit, name)
        for place in 0..<items.count {
            guard let octets = try unsafe borrowed(items[place], limit: budget, name) else {
                throw .null("\(name)[\(place)]")
            }
            budget -= octets.count
        }
        return unsafe BorrowedList(checked: items)
    }

    /// Copies of several runs of octets, checked as `borrowedList` does.
    static func list(
        _ pointer: UnsafePointer<hawser_bytes>?, _ count: Int, limit: Int = limitItems,
        budget: inout Int, _ name: String
    ) throws(CallFailure) -> [[UInt8]] {
        try unsafe borrowedList(pointer, count, limit: limit, budget: &budget, name).copies
    }

    /// The elements of an array of the caller's, after checking its address and length.
    @inline(__always)
    static func array<Element>(
        _ pointer: UnsafePointer<Element>?, _ count: Int, limit: Int, _ name: String
    ) throws(CallFailure) -> UnsafeBufferPointer<Element> {
        guard count >= 0, count <= limit else { throw .beyond(limit, name) }
        guard count > 0 else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
        guard let pointer = unsafe pointer else { throw .null(name) }
        guard UInt(bitPattern: pointer) % UInt(MemoryLayout<Element>.alignment) == 0 else {
            throw CallFailure(
                HAWSER_E_ARGUMENT, "misaligned", "`\(name)` does not stand where an array can")
        }
        return unsafe UnsafeBufferPointer(start: pointer, count: count)
    }

    /// A name that ends in NUL, where it stands; nil for NULL. A name longer than the limit is
    /// refused, and the rest of it is not read.
    @inline(__always)
    static func borrowedName(
        _ pointer: UnsafePointer<CChar>?, limit: Int = limitName, _ name: String
    ) throws(CallFailure) -> BorrowedName? {
        // Most names of a request are absent.
        guard let pointer = unsafe pointer else { return nil }
        return try unsafe present(pointer, limit: limit, name)
    }

    private static func present(
        _ pointer: UnsafePointer<CChar>, limit: Int, _ name: String
    ) throws(CallFailure) -> BorrowedName {
        var count = 0
        var isASCII = true
        while unsafe pointer[count] != 0 {
            if unsafe pointer[count] < 0 { isASCII = false }
            count += 1
            guard count <= limit else { throw .beyond(limit, name) }
        }
        let octets = unsafe UnsafeRawBufferPointer(start: pointer, count: count)
            .assumingMemoryBound(to: UInt8.self)
        if !isASCII, unsafe String(validating: octets, as: UTF8.self) == nil {
            throw CallFailure(HAWSER_E_ARGUMENT, "not-utf8", "`\(name)` is not UTF-8")
        }
        return unsafe BorrowedName(checked: octets)
    }

    /// A copy of a name that ends in NUL; nil for NULL.
    static func name(
        _ pointer: UnsafePointer<CChar>?, limit: Int = limitName, _ name: String
    ) throws(CallFailure) -> String? {
        try unsafe borrowedName(pointer, limit: limit, name)?.text
    }

    static let limitName = Int(HAWSER_LIMIT_NAME)
    static let limitPath = Int(HAWSER_LIMIT_PATH)
    static let limitItems = Int(HAWSER_LIMIT_ITEMS)
    static let limitKeys = Int(HAWSER_LIMIT_KEYS)
    static let limitOctets = Int(HAWSER_LIMIT_OCTETS)
    static let limitTable = Int(HAWSER_LIMIT_TABLE)
}

/// Writes text into the caller's buffers.
enum CText {
    /// Writes as much of a text as fits, with a NUL behind it. The text is cut between characters.
    /// Returns whether the whole text fitted.
    static func write(_ text: String, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var text = text
        return text.withUTF8 { unsafe write($0, into: buffer) }
    }

    private static func write(
        _ octets: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard buffer.count > 0 else { return false }
        var count = min(octets.count, buffer.count - 1)
        // Every octet of a character but the first is 10xxxxxx (RFC 3629 section 3).
        while count > 0, count < octets.count, unsafe octets[count] & 0xC0 == 0x80 { count -= 1 }
        unsafe buffer.copyMemory(
            from: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: octets[..<count])))
        unsafe buffer[count] = 0
        return count == octets.count
    }

    /// Writes an empty text, so that the caller cannot take old contents of the buffer for an
    /// answer.
    static func clear(
        _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
        _ length: UnsafeMutablePointer<Int>?
    ) throws(CallFailure) {
        guard capacity >= 0 else { throw .beyond(Int.max, "capacity") }
        guard unsafe buffer != nil || capacity == 0 else { throw .null("buffer") }
        unsafe length?.pointee = 0
        if capacity > 0 { unsafe buffer?.pointee = 0 }
    }

    /// Answers with a text: the whole text, or as much of it as fits.
    static func answer(
        _ text: String, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
        _ length: UnsafeMutablePointer<Int>?
    ) throws(CallFailure) -> Int {
        try unsafe clear(buffer, capacity, length)
        unsafe length?.pointee = text.utf8.count
        let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
        return unsafe write(text, into: target) ? HAWSER_OK : HAWSER_E_SMALL
    }
}
