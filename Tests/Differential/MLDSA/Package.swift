// swift-tools-version: 6.2

import PackageDescription

// A package of its own beside the one that builds swift-certificates, which this does not need.
let package = Package(
    name: "mldsa-verify",
    dependencies: [.package(name: "hawser", path: "../../..")],
    targets: [
        .executableTarget(
            name: "mldsa-verify",
            dependencies: [.product(name: "MLDSA", package: "hawser")],
            path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
