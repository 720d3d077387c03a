// swift-tools-version: 6.2

import PackageDescription

/// As in the root's manifest: the executable is held to what every target is held to.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Tests open real sockets; memory safety stays on in what they test.
let tests: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

// The executable that `hawser serve` starts, and the tests of its server. They are a package of
// their own, so that the root builds no SwiftNIO for its command and its tests.
let package = Package(
    name: "hawser-serve",
    products: [.executable(name: "hawser-serve", targets: ["hawser-serve"])],
    dependencies: [
        .package(name: "hawser", path: "../../..", traits: ["Serve"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "hawser-serve",
            dependencies: [.product(name: "HawserServe", package: "hawser")],
            swiftSettings: house),
        .testTarget(
            name: "HawserServeTests",
            dependencies: [
                .product(name: "HawserServe", package: "hawser"),
                .product(name: "Hawser", package: "hawser"),
                .product(name: "HawserYAML", package: "hawser"),
                .product(name: "TestPKI", package: "hawser"),
                .product(name: "TrustEngine", package: "hawser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
    ]
)
