/// An error of the public interface. All of them are structs with a code, which programs compare,
/// and a context, which people read.
///
///     do { store = try PolicyStore(file: path) } catch {
///         log("\(error.code): \(error.context)")
///     }
public protocol CodedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable names of the reasons.
    associatedtype Code: RawRepresentable, Hashable, Sendable where Code.RawValue == String

    /// The reason's stable name.
    var code: Code { get }
    /// What was found, and what would be right: lower case, no full stop.
    var context: String { get }
}

extension CodedError {
    /// The code and the context.
    public var description: String { "\(code.rawValue): \(context)" }
}

/// The stable name of a reason that comes from another error, or that the program chose. The code
/// of an error with a closed list of reasons is an enum.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The name: lower-case words with hyphens between them.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code from its name.
    public init(stringLiteral name: String) { rawValue = name }

    /// The same reason as a code of another error.
    public init(_ code: some RawRepresentable<String>) { rawValue = code.rawValue }

    /// The name.
    public var description: String { rawValue }
}
