// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that a build of Hawser does not build it: a library that Hawser is
// measured against, which `timed-verdicts` opens while it runs.
let package = Package(
    name: "swift-certificates-peer",
    products: [
        .library(
            name: "SwiftCertificatesPeer", type: .dynamic, targets: ["SwiftCertificatesPeer"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1")
    ],
    targets: [
        .target(
            name: "SwiftCertificatesPeer",
            dependencies: [.product(name: "X509", package: "swift-certificates")],
            path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            linkerSettings: [.unsafeFlags(["-Xlinker", "-Bsymbolic"])])
    ]
)
