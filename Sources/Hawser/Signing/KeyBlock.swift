import TrustEngine

/// Reads the one block of a PEM text that holds a key.
enum KeyBlock {
    /// The octets of the block.
    ///
    /// - Parameter help: hints about other blocks that people give by mistake, by the labels of the
    ///   blocks.
    static func read(
        _ label: String, of pem: [UInt8], help: [String: String]
    ) throws(TrustedKeyError) -> [UInt8] {
        let blocks: [PEMBlock]
        do throws(PEMError) {
            blocks = try PEM.decode(pem.span)
        } catch {
            throw TrustedKeyError(
                code: .notAKey,
                context: "PEM that cannot be read, at octet \(error.offset): "
                    + error.problem.rawValue)
        }
        guard blocks.count == 1, blocks[0].label == label else {
            let labels = blocks.prefix(4).map { "`\($0.label)`" }.joined(separator: ", ")
            let hint = blocks.compactMap { help[$0.label] }.first
            throw TrustedKeyError(
                code: .notAKey,
                context: "one PEM block `\(label)` was wanted; there is "
                    + (blocks.isEmpty ? "none" : labels) + (hint.map { "; " + $0 } ?? ""))
        }
        return blocks[0].der
    }
}
