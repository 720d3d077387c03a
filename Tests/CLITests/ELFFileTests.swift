import Testing

@testable import HawserCommand

/// What `hawser run` reads of a program's file. The bytes are a stranger's.
@Suite("ELF files")
struct ELFFileTests {
    private static let whole = MintedELF(
        needed: ["libcurl.so.4", "libssl.so.3", "libc.so.6"], note: ("Go", 4))

    private func parsed(_ bytes: [UInt8]) -> Result<ELFFile, ELFFile.Problem> {
        do throws(ELFFile.Problem) {
            return .success(try ELFFile(bytes))
        } catch {
            return .failure(error)
        }
    }

    @Test("the loader, the libraries and Go's note are read")
    func read() throws {
        let file = try parsed(Self.whole.bytes).get()
        #expect(file.machine == Self.whole.machine)
        #expect(file.interpreter == "/lib64/ld-linux-x86-64.so.2")
        #expect(file.needed == Self.whole.needed)
        #expect(file.isGo)
        let other = try parsed(MintedELF(interpreter: nil, note: ("GNU", 4)).bytes).get()
        #expect(other.interpreter == nil && other.needed.isEmpty && !other.isGo)
        #expect(try !parsed(MintedELF(note: ("Go", 3)).bytes).get().isGo)
    }

    /// Exactly the reasons of this list are printed.
    @Test("what the file alone says of its reach")
    func reasons() throws {
        func reason(_ elf: MintedELF) throws -> String? {
            ProgramReach.reason(of: try parsed(elf.bytes).get())
        }
        #expect(try reason(MintedELF(needed: ["libssl.so.3"])) == nil)
        #expect(try reason(MintedELF(needed: ["libgnutls.so.30", "libssl.so.3"])) == nil)
        #expect(try reason(MintedELF(interpreter: nil)) == "statically linked")
        #expect(try reason(MintedELF(machine: 8)) == "made for another processor")
        #expect(
            try reason(MintedELF(interpreter: "/lib/ld-musl-x86_64.so.1"))
                == "another C library (musl)")
        #expect(try reason(MintedELF(interpreter: nil, note: ("Go", 4))) == "Go's own TLS")
        #expect(try reason(MintedELF(needed: ["libssl.so.1.1"])) == "libssl 1.1")
        #expect(try reason(MintedELF(needed: ["libjli.so"])) == "Java's own TLS")
        #expect(
            try reason(MintedELF(needed: ["libQt6Network.so.6"]))
                == "libssl through dlsym (Qt)")
    }

    @Test("what is no ELF file, and one of another width")
    func others() throws {
        #expect(parsed([]) == .failure(.notELF))
        #expect(parsed(Array("#!/bin/sh\n".utf8)) == .failure(.notELF))
        var narrow = Self.whole.bytes
        narrow[4] = 1
        #expect(try parsed(narrow).get().machine == nil)
        #expect(ProgramReach.reason(of: try parsed(narrow).get()) == "made for another processor")
    }

    /// A file that is cut says what the whole one says, or that it is damaged: never less.
    @Test("a file that is cut at any octet")
    func cut() {
        let bytes = Self.whole.bytes
        let all = parsed(bytes)
        var failures = 0
        for length in 0..<bytes.count {
            let part = parsed(Array(bytes[..<length]))
            if part != all {
                failures += 1
                #expect((try? part.get()) == nil, "\(length)")
            }
        }
        #expect(failures > 200)
    }

    @Test("a number beyond the file or beyond every limit", arguments: [UInt8(0x7F), 0xFF])
    func beyond(_ octet: UInt8) {
        let bytes = Self.whole.bytes
        // Of every number of up to eight octets: it is read, or it is a problem.
        for place in 16..<bytes.count - 8 {
            var changed = bytes
            for offset in 0..<8 { changed[place + offset] = octet }
            _ = parsed(changed)
        }
        var segments = bytes
        segments[56] = 0xFF
        segments[57] = 0xFF
        #expect(parsed(segments) == .failure(.damaged("program headers")))
    }

    @Test("octets changed by chance")
    func random() {
        let seed: UInt64 = 23
        print("seed \(seed)")
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let bytes = Self.whole.bytes
        var failures = 0
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0...next(4) { changed[next(changed.count)] = UInt8(next(256)) }
            if case .failure = parsed(changed) { failures += 1 }
        }
        #expect(failures > 100)
    }
}
