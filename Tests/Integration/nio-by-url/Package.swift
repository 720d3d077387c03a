// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "billing",
    dependencies: [
        .package(
            url: "https://git.acme.example/hawser.git", branch: "main",
            traits: ["AsyncHTTPClient"])
    ],
    targets: [
        .executableTarget(
            name: "billing",
            dependencies: [
                .product(name: "Hawser", package: "hawser"),
                .product(name: "HawserYAML", package: "hawser"),
                .product(name: "HawserNIO", package: "hawser"),
                .product(name: "HawserAsyncHTTPClient", package: "hawser"),
            ],
            path: ".", sources: ["main.swift"])
    ]
)
