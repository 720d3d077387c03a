// swift-tools-version: 6.2

import PackageDescription

/// Tests and the soak run over real sockets; memory safety stays on in what they test.
let tests: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

// The tests of the targets that the root package has behind its traits. They are a package of
// their own, so that the tests of the root need no SwiftNIO, and so that these here do not build
// the tests of the root. Programs depend on the root package.
let package = Package(
    name: "hawser-nio-tests",
    dependencies: [
        .package(name: "hawser", path: "../../..", traits: ["AsyncHTTPClient"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // Tests, and what they run on loopback.
        .target(
            name: "NIOWorld",
            dependencies: [
                .product(name: "HawserNIO", package: "hawser"),
                .product(name: "Hawser", package: "hawser"),
                .product(name: "HawserYAML", package: "hawser"),
                .product(name: "TestPKI", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/NIOWorld", swiftSettings: tests),
        .executableTarget(
            name: "ReloadSoak",
            dependencies: [
                "NIOWorld",
                .product(name: "HawserNIO", package: "hawser"),
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
                "NIOWorld",
                .product(name: "HawserNIO", package: "hawser"),
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
                "NIOWorld",
                .product(name: "HawserAsyncHTTPClient", package: "hawser"),
                .product(name: "HawserNIO", package: "hawser"),
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
