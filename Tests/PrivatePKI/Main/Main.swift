import Foundation
import PrivatePKIShapes

/// `mint-private-pki COUNT SEED`: writes the first COUNT shapes of a seed to standard output, as
/// vectors of the conformance format. The same numbers give the same octets on every machine.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let count = arguments.first.flatMap({ Int($0) }), count > 0,
            let seed = arguments.last.flatMap({ UInt64($0) })
        else {
            FileHandle.standardError.write(Data("usage: mint-private-pki COUNT SEED\n".utf8))
            exit(2)
        }
        for number in 0..<count {
            let line = try PrivateShape(number: number, seed: seed).line()
            try FileHandle.standardOutput.write(contentsOf: line)
        }
    }
}
