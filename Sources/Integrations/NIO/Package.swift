// swift-tools-version: 6.2

import PackageDescription

/// The settings of the root package: Swift 6 language mode, explicit import levels, and strict
/// memory safety with every warning an error.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Tests and the soak run over real sockets; memory safety stays on in what they test.
let tests: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

// A package of its own, so that nobody who builds Hawser alone fetches or builds SwiftNIO.
let package = Package(
    name: "hawser-nio",
    products: [
        .library(name: "HawserNIO", targets: ["HawserNIO"])
    ],
    dependencies: [
        .package(name: "hawser", path: "../../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(
            name: "HawserNIO",
            dependencies: [
                .product(name: "Hawser", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: house),
        .target(
            name: "HawserAsyncHTTPClient",
            dependencies: [
                "HawserNIO",
                .product(name: "Hawser", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: house),
        // Tests, and what they run on loopback.
        .target(
            name: "NIOWorld",
            dependencies: [
                "HawserNIO",
                .product(name: "Hawser", package: "hawser"),
                .product(name: "HawserYAML", package: "hawser"),
                .product(name: "TestPKI", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/NIOWorld", swiftSettings: tests),
        .executableTarget(
            name: "ReloadSoak",
            dependencies: [
                "HawserNIO", "NIOWorld",
                .product(name: "Hawser", package: "hawser"),
                .product(name: "TestPKI", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/ReloadSoak", swiftSettings: tests),
        .testTarget(
            name: "HawserNIOTests",
            dependencies: [
                "HawserNIO", "NIOWorld",
                .product(name: "Hawser", package: "hawser"),
                .product(name: "TestPKI", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "HawserAsyncHTTPClientTests",
            dependencies: [
                "HawserAsyncHTTPClient", "HawserNIO", "NIOWorld",
                .product(name: "Hawser", package: "hawser"),
                .product(name: "TestPKI", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
    ]
)
