// swift-tools-version: 6.2

import PackageDescription

/// Tests and benchmarks; memory safety stays on in what they test.
let tests: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

// The tests and benchmarks of the target that the root package has behind the trait `SwiftCrypto`.
// They are a package of their own, so that the tests of the root need no swift-crypto. Programs
// depend on the root package.
let package = Package(
    name: "hawser-swift-crypto-tests",
    dependencies: [
        .package(name: "hawser", path: "../../..", traits: ["SwiftCrypto"]),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    ],
    targets: [
        .testTarget(
            name: "HawserSwiftCryptoTests",
            dependencies: [
                .product(name: "HawserSwiftCrypto", package: "hawser"),
                .product(name: "Hawser", package: "hawser"),
                .product(name: "HawserYAML", package: "hawser"),
                .product(name: "TestPKI", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
            ],
            swiftSettings: tests),
        .executableTarget(
            name: "swift-crypto-benchmark",
            dependencies: [
                .product(name: "HawserSwiftCrypto", package: "hawser"),
                .product(name: "Hawser", package: "hawser"),
                .product(name: "HawserYAML", package: "hawser"),
                .product(name: "TestPKI", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            path: "Tests/Benchmarks", swiftSettings: tests),
    ]
)
