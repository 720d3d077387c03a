// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that a build of Hawser does not build its peers.
let package = Package(
    name: "differential",
    dependencies: [
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1")
    ],
    targets: [
        .executableTarget(
            name: "differential",
            dependencies: [.product(name: "X509", package: "swift-certificates")],
            path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
