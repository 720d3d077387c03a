import PolicyCompiler
import PolicyTools
import Testing

/// Binary property lists: a list that Python's `plistlib` wrote, and damaged ones.
@Suite struct BinaryPropertyListTests {
    /// `plistlib.dumps` of a list with App Transport Security and other entries.
    private static let sample: [UInt8] = octets(
        """
        62706c6973743030d401020304050607195c434642756e646c654e616d655f100f434642756e646c
        6556657273696f6e5f10164e534170705472616e73706f72745365637572697479554f7468657258
        426569737069656c1007d208090a105f10124e53457863657074696f6e446f6d61696e735f100f4e
        5350696e6e6564446f6d61696e73d10b0c59612e6578616d706c65d20d0e0f0f5f10224e53457863
        657074696f6e416c6c6f7773496e736563757265485454504c6f6164735f10144e53496e636c7564
        6573537562646f6d61696e7309d10b11d20e120f135f10144e5350696e6e656443414964656e7469
        74696573a21417d115165f101253504b492d5348413235362d4241534536345f102c455245524552
        455245524552455245524552455245524552455245524552455245524552455245524552453dd115
        185f102c496949694969496949694969496949694969496949694969496949694969496949694969
        496949694969493da31a1b0f233ff8000000000000417800080011001e00300049004f0058005a00
        5f0074008600890093009800bd00d400d500d800dd00f400f700fa010f013e014101700174017d00
        00000000000201000000000000001c0000000000000000000000000000017f
        """)

    private static func octets(_ text: String) -> [UInt8] {
        let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    private static func text(_ bytes: [UInt8]) throws -> String {
        String(decoding: try ATSReader.text(of: bytes), as: UTF8.self)
    }

    @Test("the entry is the same as in XML")
    func whole() throws {
        let text = try Self.text(Self.sample)
        #expect(!text.contains("CFBundleName"))
        let source = SourceFile(path: "Info.plist", bytes: Array(text.utf8))
        let imported = ATSImport.policy(of: try ATSReader.read(source.bytes), source: source)
        #expect(imported.policy.rules.map(\.hosts) == [["a.example", "*.a.example"]])
        #expect(imported.policy.rules.map(\.body.pins.count) == [1])
        #expect(imported.findings.map(\.code) == [.permitsCleartext])
    }

    @Test("every cut and every changed octet is refused or read, and nothing traps")
    func damaged() {
        var refused = 0
        for length in 0..<Self.sample.count {
            if (try? ATSReader.text(of: Array(Self.sample.prefix(length)))) == nil { refused += 1 }
        }
        #expect(refused > Self.sample.count - 20)
        for index in 8..<Self.sample.count {
            for value in [0x00, 0x01, 0x0F, 0x5F, 0x7F, 0xAF, 0xDF, 0xFF] as [UInt8] {
                var bytes = Self.sample
                bytes[index] = value
                guard let text = try? ATSReader.text(of: bytes) else { continue }
                _ = try? ATSReader.read(text)
            }
        }
    }

    @Test("a list that holds itself, and one that stands for a large tree, are refused")
    func bombs() throws {
        // Object 0: { key 1: object 2 }; object 1: the key; object 2: [2, 2]. Sizes of one octet.
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        offsets.append(UInt8(bytes.count))
        bytes += [0xD1, 1, 2]
        offsets.append(UInt8(bytes.count))
        let key = Array(ATSReader.key.utf8)
        bytes += [0x5F, 0x10, UInt8(key.count)] + key
        offsets.append(UInt8(bytes.count))
        bytes += [0xA2, 2, 2]
        let table = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0]
        bytes += [0, 0, 0, 0, 0, 0, 0, table]
        #expect(throws: ForeignError.self) { try ATSReader.text(of: bytes) }
        // Twenty lists, each twice in the next.
        var deep = Array("bplist00".utf8)
        var places: [UInt8] = [UInt8(deep.count)]
        deep += [0xD1, 1, 2]
        places.append(UInt8(deep.count))
        deep += [0x5F, 0x10, UInt8(key.count)] + key
        for next in 3..<23 {
            places.append(UInt8(deep.count))
            deep += [0xA2, UInt8(next), UInt8(next)]
        }
        places.append(UInt8(deep.count))
        deep += [0x09]
        let end = UInt8(deep.count)
        deep += places + [0, 0, 0, 0, 0, 0, 1, 1]
        deep += [0, 0, 0, 0, 0, 0, 0, UInt8(places.count)] + [0, 0, 0, 0, 0, 0, 0, 0]
        deep += [0, 0, 0, 0, 0, 0, 0, end]
        #expect(throws: ForeignError.self) { try ATSReader.text(of: deep) }
    }
}
