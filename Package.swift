// swift-tools-version: 6.2

import PackageDescription

/// One set of settings for every Swift target: Swift 6 language mode, explicit import levels, and
/// strict memory safety with every warning an error.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Tests touch Foundation and run child processes; memory safety stays on in what they test.
let tests: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A product of swift-crypto, for targets that are empty without the trait `SwiftCrypto`.
func swiftCrypto(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-crypto", condition: .when(traits: ["SwiftCrypto"]))
}

/// The backend that judges public vectors a second time, only with the trait `SwiftCrypto`.
let secondBackend = Target.Dependency.target(
    name: "HawserSwiftCrypto", condition: .when(traits: ["SwiftCrypto"]))

/// The traits in `HAWSER_TRAITS` (`NIO` and `Serve`, with a space between them), which `.ci/run`
/// sets; usually none. A build here compiles their targets as if the traits were enabled. Enabling
/// two traits costs more: SwiftPM passes both flags to every target, in another order each time,
/// and then compiles everything again.
let compiledTraits = (Context.environment["HAWSER_TRAITS"] ?? "").split(separator: " ")
    .map(String.init)

/// A product for targets that are empty without the trait.
func product(_ name: String, of package: String, trait: String) -> Target.Dependency {
    .product(
        name: name, package: package,
        condition: compiledTraits.contains(trait) ? nil : .when(traits: [trait]))
}

/// A product of SwiftNIO, for targets that are empty without the trait.
func nio(_ name: String, trait: String = "NIO") -> Target.Dependency {
    product(name, of: "swift-nio", trait: trait)
}

/// The settings of a target that is empty without the trait.
func house(trait: String) -> [SwiftSetting] {
    house + (compiledTraits.contains(trait) ? [.define(trait)] : [])
}

let package = Package(
    name: "hawser",
    // Compiled and tested on Linux. On Apple's systems the standard library has `InlineArray` and
    // `UTF8Span`, which the engine uses, from this version on.
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "hawser", targets: ["HawserCommand"]),
        .library(name: "Hawser", targets: ["Hawser"]),
        .library(name: "HawserYAML", targets: ["HawserYAML"]),
        .library(name: "CHawser", type: .dynamic, targets: ["CHawser"]),
        .library(name: "TrustEngine", targets: ["TrustEngine"]),
        .library(name: "HawserNIO", targets: ["HawserNIO"]),
        .library(name: "HawserAsyncHTTPClient", targets: ["HawserAsyncHTTPClient"]),
        .library(name: "HawserSwiftCrypto", targets: ["HawserSwiftCrypto"]),
        .library(name: "HawserServe", targets: ["HawserServe"]),
        .library(name: "MLDSA", targets: ["MLDSA"]),
        // For tests of programs, also for those in Sources/Integrations: its keys are public.
        .library(name: "TestPKI", targets: ["TestPKI"]),
        // No generator, minting tool or benchmark is a product. SwiftPM makes one of each
        // executable target in the package that is built, `swift run conformance`, and none in a
        // package that another one depends on. A nested package could not see declarations that are
        // `package` here.
    ],
    traits: [
        .default(enabledTraits: []),
        .trait(name: "NIO", description: "the product HawserNIO, on swift-nio-ssl"),
        .trait(
            name: "AsyncHTTPClient",
            description: "the product HawserAsyncHTTPClient, on async-http-client",
            enabledTraits: ["NIO"]),
        .trait(
            name: "SwiftCrypto",
            description: "the product HawserSwiftCrypto: signatures verified by swift-crypto"),
        .trait(
            name: "Serve",
            description: "the product HawserServe, on swift-nio: what `hawser serve` runs"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // For the targets behind the traits; nobody else fetches or builds these.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        // System libraries and the C that stands on them.
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CLibCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CLibSSL", pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(
            name: "CLibCryptoShims", dependencies: ["CLibCrypto"],
            linkerSettings: [.linkedLibrary("crypto")]),

        // The C library of the system: the only target that knows which one it is.
        .target(name: "CLibC"),

        // The engine: pure values, no C, no Foundation, no clock, disk or network.
        .target(
            name: "TrustEngine",
            exclude: ["PathValidation/Deviations.md", "PathValidation/CallerDuties.md"],
            swiftSettings: house),

        // Post-quantum signatures, verified in Swift whatever libcrypto is there.
        .target(name: "MLDSA", swiftSettings: house),

        // Filters of revoked certificates, read in place.
        .target(name: "CRLite", swiftSettings: house),

        // Machine-facing libraries.
        .target(
            name: "LibCrypto",
            dependencies: ["TrustEngine", "MLDSA", "CLibCrypto", "CLibCryptoShims"],
            swiftSettings: house),
        .target(
            name: "TLSProbe", dependencies: ["CLibC", "TrustEngine", "CLibSSL"],
            swiftSettings: house),
        .target(
            name: "Hawser",
            dependencies: [
                "CLibC", "Rendering", "LibCrypto", "CRLite", "TrustEngine",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: house),

        // The C interface: a header, and the library behind it (`Packaging/c`).
        .target(name: "CHawserABI"),
        .target(
            name: "CHawser",
            dependencies: [
                "CLibC", "Hawser", "Rendering", "TrustEngine", "CHawserABI",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: house),

        // What a policy says: effective rules, places of fields, patterns; and how people and
        // programs read it, verdicts and traces.
        .target(name: "PolicyReading", dependencies: ["TrustEngine"], swiftSettings: house),
        .target(
            name: "Rendering", dependencies: ["PolicyReading", "TrustEngine"],
            swiftSettings: house),

        // The files of `grammar/` that the command prints and reads.
        .target(name: "CSchemas"),

        // The version of every part, and facts about this build.
        .target(
            name: "CVersion", dependencies: ["CLibCrypto"],
            linkerSettings: [.linkedLibrary("crypto")]),

        // The language.
        .target(
            name: "PolicyCompiler", dependencies: ["TrustEngine", "CLibYAML"],
            swiftSettings: house),
        .target(
            name: "PolicyTools",
            dependencies: ["Rendering", "PolicyCompiler", "TrustEngine", "CSchemas"],
            swiftSettings: house),
        .target(
            name: "HawserYAML", dependencies: ["Hawser", "PolicyCompiler", "TrustEngine"],
            swiftSettings: house),

        // What stands on SwiftNIO. Without its trait each of the two is an empty module: a manifest
        // cannot leave a target out by a trait, so every file stands in an `#if` of the trait.
        .target(
            name: "HawserNIO",
            dependencies: [
                "CLibC", "Hawser", "TrustEngine",
                .product(name: "Logging", package: "swift-log"),
                nio("NIOCore"), nio("NIOPosix"), nio("NIOTLS"),
                product("NIOSSL", of: "swift-nio-ssl", trait: "NIO"),
            ],
            path: "Sources/Integrations/NIO/Sources/HawserNIO", swiftSettings: house(trait: "NIO")),
        .target(
            name: "HawserAsyncHTTPClient",
            dependencies: [
                "HawserNIO", "Hawser", "TrustEngine",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                nio("NIOCore"), nio("NIOHTTP1"),
                product("NIOSSL", of: "swift-nio-ssl", trait: "NIO"),
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client",
                    condition: .when(traits: ["AsyncHTTPClient"])),
            ],
            path: "Sources/Integrations/NIO/Sources/HawserAsyncHTTPClient",
            swiftSettings: house),

        // Signatures by swift-crypto instead of libcrypto; without its trait an empty module too.
        .target(
            name: "HawserSwiftCrypto",
            dependencies: [
                "LibCrypto", "TrustEngine", swiftCrypto("Crypto"), swiftCrypto("CryptoExtras"),
            ],
            path: "Sources/Integrations/SwiftCrypto/Sources/HawserSwiftCrypto",
            swiftSettings: house),

        // Requests in JSON, judged and answered in JSON, without a socket; and the server around
        // it, an empty module without its trait.
        .target(
            name: "VerdictService",
            dependencies: [
                "Hawser", "Rendering", "TrustEngine",
            ],
            swiftSettings: house),
        .target(
            name: "ServeArguments",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: house),
        .target(
            name: "HawserServe",
            dependencies: [
                "CLibC", "VerdictService", "ServeArguments", "CVersion", "Hawser", "Rendering",
                "TrustEngine",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                nio("NIOCore", trait: "Serve"), nio("NIOPosix", trait: "Serve"),
                nio("NIOHTTP1", trait: "Serve"),
            ],
            path: "Sources/Integrations/Serve/Sources/HawserServe",
            swiftSettings: house(trait: "Serve")),

        // The command, and the generator of the checked-in tables.
        .target(name: "CProgramStart"),
        .executableTarget(
            name: "HawserCommand",
            dependencies: [
                "CLibC", "PolicyTools", "HawserYAML", "TLSProbe", "Hawser", "Rendering",
                "PolicyCompiler", "CRLite", "TrustEngine", "CSchemas", "CProgramStart", "CVersion",
                "ServeArguments",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "generate-tables", dependencies: ["CLibC", "PolicyTools", "PolicyCompiler"],
            path: "Sources/GenerateTables", swiftSettings: house),

        // Tests and what they mint.
        .target(
            name: "TestPKI",
            dependencies: ["CLibC", "TrustEngine", "LibCrypto", "CLibCrypto", "CLibCryptoShims"],
            path: "Tests/TestPKI", exclude: ["Signatures/edwards.py"], swiftSettings: house),
        .target(
            name: "JSONSchemaSupport", path: "Tests/JSONSchemaSupport", swiftSettings: tests),
        .target(name: "PageSupport", path: "Tests/PageSupport", swiftSettings: tests),
        .target(
            name: "EvidenceServer", dependencies: ["CLibC", "TestPKI"],
            path: "Tests/EvidenceServer", swiftSettings: tests),
        .executableTarget(
            name: "StoreVictim",
            dependencies: ["CLibC", "Hawser", .product(name: "Logging", package: "swift-log")],
            path: "Tests/StoreVictim", swiftSettings: tests),
        .target(
            name: "FixtureRecipes", dependencies: ["TestPKI", "TrustEngine"],
            path: "Tests/MintFixtures/Recipes", swiftSettings: house),
        .executableTarget(
            name: "mint-fixtures", dependencies: ["CLibC", "FixtureRecipes", "TestPKI"],
            path: "Tests/MintFixtures", exclude: ["Recipes", "post-quantum.py"],
            swiftSettings: house),
        .executableTarget(
            name: "record-decisions",
            dependencies: ["Hawser", "HawserYAML", "TestPKI", "TrustEngine"],
            path: "Tests/RecordDecisions", swiftSettings: tests),
        .target(
            name: "FuzzBodies",
            dependencies: [
                "TestPKI", "ConformanceCases", "Hawser", "PolicyTools", "PolicyCompiler",
                "LibCrypto", "MLDSA", "CRLite", "Rendering", "TrustEngine",
            ],
            path: "Tests/Fuzz/Bodies", swiftSettings: tests),
        .executableTarget(
            name: "fuzz", dependencies: ["CLibC", "FuzzBodies", "TrustEngine", secondBackend],
            path: "Tests/Fuzz/Main", swiftSettings: tests),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzBodies", "HostileCosts", "TestPKI"],
            swiftSettings: tests),
        .target(
            name: "ConformanceCases",
            dependencies: [
                "PolicyTools", "PolicyCompiler", "LibCrypto", "Rendering", "TrustEngine",
            ],
            path: "Tests/Conformance/Cases", swiftSettings: tests),
        .executableTarget(
            name: "conformance",
            dependencies: [
                "ConformanceCases", "TrustEngine", "CLibCrypto", secondBackend,
            ],
            path: "Tests/Conformance/Main", swiftSettings: tests),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "ConformanceCases", "TestPKI", "LibCrypto", "Rendering", "TrustEngine",
            ],
            swiftSettings: tests),
        .executableTarget(
            name: "audit-rows",
            dependencies: ["ConformanceCases", "Hawser", "LibCrypto", "TestPKI", "TrustEngine"],
            path: "Tests/AuditRows", swiftSettings: tests),
        .target(
            name: "PrivatePKIShapes", dependencies: ["ConformanceCases", "TestPKI", "TrustEngine"],
            path: "Tests/PrivatePKI/Shapes", swiftSettings: tests),
        .executableTarget(
            name: "mint-private-pki", dependencies: ["PrivatePKIShapes"],
            path: "Tests/PrivatePKI/Main", swiftSettings: tests),
        .executableTarget(
            name: "mint-worlds",
            dependencies: ["PrivatePKIShapes", "ConformanceCases", "LibCrypto", "TrustEngine"],
            path: "Tests/PrivatePKI/Worlds", swiftSettings: tests),
        .executableTarget(
            name: "table-load-benchmark",
            dependencies: ["CLibC", "Hawser", "LibCrypto", "TestPKI", "TrustEngine"],
            path: "Tests/Benchmarks/TableLoad", swiftSettings: tests),
        .target(name: "CFlatTable", path: "Tests/Benchmarks/CFlatTable"),
        .executableTarget(
            name: "host-look-up-benchmark",
            dependencies: ["CLibC", "LibCrypto", "TestPKI", "TrustEngine", "CFlatTable"],
            path: "Tests/Benchmarks/HostLookUp", swiftSettings: tests),
        .executableTarget(
            name: "verdict-benchmark",
            dependencies: [
                "CLibC", "Hawser", "TrustEngine", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Benchmarks/Verdicts", swiftSettings: tests),
        .target(
            name: "VerdictSubjects", dependencies: ["CLibC", "LibCrypto", "TrustEngine"],
            path: "Tests/Benchmarks/Subjects", swiftSettings: tests),
        .executableTarget(
            name: "write-verdict-cases",
            dependencies: ["CLibC", "TestPKI", "TrustEngine", "VerdictSubjects"],
            path: "Tests/Benchmarks/Cases", swiftSettings: tests),
        .executableTarget(
            name: "counted-verdicts", dependencies: ["CLibC", "VerdictSubjects"],
            path: "Tests/Benchmarks/Counted", swiftSettings: tests),
        .target(
            name: "CPeers", dependencies: ["CLibCrypto"], path: "Tests/Benchmarks/CPeers",
            linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "timed-verdicts", dependencies: ["CLibC", "CPeers", "VerdictSubjects"],
            path: "Tests/Benchmarks/Timed", swiftSettings: tests),
        .executableTarget(
            name: "diff-benchmark",
            dependencies: ["CLibC", "PolicyTools", "PolicyCompiler", "LibCrypto", "TrustEngine"],
            path: "Tests/Benchmarks/Diff", swiftSettings: tests),
        .target(
            name: "HostileCosts", dependencies: ["LibCrypto", "TestPKI", "TrustEngine"],
            path: "Tests/Benchmarks/HostileCosts", swiftSettings: tests),
        .executableTarget(
            name: "hostile-benchmark",
            dependencies: ["CLibC", "HostileCosts", "LibCrypto", "TestPKI", "TrustEngine"],
            path: "Tests/Benchmarks/Hostile", swiftSettings: tests),
        .target(name: "CMemory", path: "Tests/Benchmarks/CMemory"),
        .executableTarget(
            name: "revocation-benchmark",
            dependencies: [
                "CLibC", "TestPKI", "LibCrypto", "TrustEngine", "CLibCrypto", "CMemory",
            ],
            path: "Tests/Benchmarks/Revocation", swiftSettings: tests),
        .executableTarget(
            name: "filter-benchmark",
            dependencies: ["CLibC", "CRLite", "Hawser", "TestPKI", "TrustEngine"],
            path: "Tests/Benchmarks/Filters", swiftSettings: tests),
        .testTarget(
            name: "TrustEngineTests",
            dependencies: ["TrustEngine", "LibCrypto", "CRLite", "TestPKI"],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(
            name: "MLDSATests", dependencies: ["MLDSA"], exclude: ["Vectors"],
            swiftSettings: tests),
        .testTarget(
            name: "CRLiteTests", dependencies: ["CRLite", "TestPKI"], swiftSettings: tests),
        .testTarget(
            name: "LibCryptoTests",
            dependencies: ["LibCrypto", "MLDSA", "TrustEngine", "TestPKI", "CLibCrypto"],
            exclude: ["Wycheproof"], swiftSettings: tests),
        .testTarget(
            name: "TestPKITests",
            dependencies: [
                "TestPKI", "FixtureRecipes", "PrivatePKIShapes", "ConformanceCases", "LibCrypto",
                "TrustEngine",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TLSProbeTests",
            dependencies: ["CLibC", "TLSProbe", "TestPKI", "TrustEngine", "EvidenceServer"],
            swiftSettings: tests),
        .testTarget(
            name: "PolicyCompilerTests",
            dependencies: [
                "PolicyTools", "PolicyCompiler", "TrustEngine", "LibCrypto", "TestPKI",
                "generate-tables", "JSONSchemaSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "PolicyToolsTests",
            dependencies: [
                "PolicyTools", "PolicyCompiler", "Rendering", "TrustEngine", "LibCrypto", "TestPKI",
                "JSONSchemaSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "RenderingTests",
            dependencies: [
                "Rendering", "TrustEngine", "LibCrypto", "TestPKI", "JSONSchemaSupport",
            ],
            swiftSettings: tests),
        // A service's code as the documentation quotes it: it sees only the public parts of Hawser.
        .target(
            name: "Tutorial", dependencies: ["Hawser"], path: "Tests/Tutorial",
            packageAccess: false, swiftSettings: tests),
        .testTarget(
            name: "HawserTests",
            dependencies: [
                "CLibC", "Hawser", "HawserYAML", "PolicyCompiler", "CRLite", "TrustEngine",
                "TestPKI",
                "Tutorial", "EvidenceServer", "JSONSchemaSupport", "StoreVictim",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "HawserCommand", "CVersion", "HawserYAML", "PolicyCompiler", "Hawser", "TestPKI",
                "Rendering", "TrustEngine", "JSONSchemaSupport", "PageSupport", "EvidenceServer",
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(
            name: "LanguageServerTests",
            dependencies: [
                "HawserCommand", "HawserYAML", "PolicyTools", "PolicyCompiler", "Hawser", "TestPKI",
                "TrustEngine",
            ],
            exclude: ["Recorded"], swiftSettings: tests),
        .testTarget(
            name: "CHawserTests",
            dependencies: [
                "CHawser", "CHawserABI", "EvidenceServer", "Hawser", "HawserYAML", "LibCrypto",
                "PolicyCompiler", "TestPKI", "TrustEngine", "CLibCrypto",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "VerdictServiceTests",
            dependencies: [
                "VerdictService", "Hawser", "HawserYAML", "Rendering", "TestPKI", "TrustEngine",
                "JSONSchemaSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "HouseTests", exclude: ["plain-english.txt"], swiftSettings: tests),
        .testTarget(
            name: "PolicyExamplesTests",
            dependencies: [
                "PolicyTools", "HawserYAML", "Hawser", "LibCrypto", "PolicyCompiler", "Rendering",
                "TrustEngine", "TestPKI", "JSONSchemaSupport", "PageSupport",
            ],
            swiftSettings: tests),
    ]
)

// `HAWSER_TARGETS`, names with spaces between them, leaves out every target that those do not
// need: a loop over one folder of tests then builds a part of the tree. The Makefile sets it.
if let wanted = Context.environment["HAWSER_TARGETS"], !wanted.isEmpty {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var needed: Set<String> = []
    var open = wanted.split(separator: " ").map(String.init)
    while let name = open.popLast() {
        guard let target = targets[name], needed.insert(name).inserted else { continue }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
            case .productItem: break
            @unknown default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        switch product {
        case let executable as Product.Executable: !needed.isSuperset(of: executable.targets)
        case let library as Product.Library: !needed.isSuperset(of: library.targets)
        default: true
        }
    }
}
