// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that a build of Hawser does not build the other implementations that it
// is measured against.
let package = Package(
    name: "mldsa-benchmark",
    dependencies: [
        .package(name: "hawser", path: "../../.."),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    ],
    targets: [
        .executableTarget(
            name: "mldsa-benchmark",
            dependencies: [
                .product(name: "MLDSA", package: "hawser"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
