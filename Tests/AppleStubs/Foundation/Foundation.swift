// A part of the stub of Apple's Foundation; see `Tests/AppleStubs/README.md`.

@_exported public import CoreFoundation

/// Page: objectivec/nsobjectprotocol
public protocol NSObjectProtocol: AnyObject {}

/// Page: objectivec/nsobject-swift.class
open class NSObject: NSObjectProtocol {
    /// Page: objectivec/nsobject-swift.class/init()
    public init() {}
}

/// Page: foundation/data
public struct Data: RandomAccessCollection, Sendable {
    /// Page: foundation/data/startindex
    public var startIndex: Int { 0 }
    /// Page: foundation/data/endindex
    public var endIndex: Int { 0 }
    /// Page: foundation/data/subscript(_:)
    public subscript(index: Int) -> UInt8 { 0 }
}

/// Page: foundation/date
public struct Date: Sendable {
    /// Page: foundation/date/init()
    public init() {}
    /// Page: foundation/date/timeintervalsince1970
    public var timeIntervalSince1970: TimeInterval { 0 }
}

/// Page: foundation/timeinterval
public typealias TimeInterval = Double

// Toll-free bridging. Page: swift/working-with-foundation-types
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Data: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> CFData { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: CFData, result: inout Data?) {}
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: CFData, result: inout Data?
    ) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: CFData?) -> Data { Data() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Array: @retroactive _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> CFArray { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: CFArray, result: inout [Element]?) {}
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: CFArray, result: inout [Element]?
    ) -> Bool { false }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: CFArray?) -> [Element] { [] }
}
