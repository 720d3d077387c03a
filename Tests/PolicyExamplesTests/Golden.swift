import Foundation
import Testing

/// A checked-in text that a test makes: compared, or written anew under `UPDATE_GOLDEN=1`.
enum Golden {
    private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

    static func hold(
        _ text: String, at place: URL, _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if updates {
            try Data(text.utf8).write(to: place)
            return
        }
        let golden = try String(contentsOf: place, encoding: .utf8)
        #expect(text == golden, "\(name)", sourceLocation: sourceLocation)
    }
}
