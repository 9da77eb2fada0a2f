// swift-tools-version: 6.2
import PackageDescription

/// As in Strata's own package: a nonisolated async function runs where its caller runs.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// A package of its own: it serves HTTP, and nobody links it.
let package = Package(
    name: "strata-studio",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "StrataStudio", targets: ["StrataStudio"]),
        .executable(name: "strata-studio", targets: ["StrataStudioProgram"]),
    ],
    dependencies: [
        .package(name: "strata", path: "../..", traits: ["Hummingbird"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    ],
    targets: [
        .target(
            name: "StrataStudio",
            dependencies: [
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataBrowsing", package: "strata"),
                .product(name: "StrataHummingbird", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StrataStudioProgram", dependencies: ["StrataStudio"], swiftSettings: settings),
        // A program of an application, for the tests.
        .target(
            name: "TicketModels", dependencies: [.product(name: "Strata", package: "strata")],
            path: "Tests/TicketModels", swiftSettings: settings),
        .executableTarget(
            name: "TicketStudio",
            dependencies: ["StrataStudio", "TicketModels", .product(name: "Strata", package: "strata")],
            path: "Tests/TicketStudio",
            swiftSettings: settings),
        .testTarget(
            name: "StrataStudioTests",
            dependencies: [
                "StrataStudio", "TicketModels", "TicketStudio",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataBrowsing", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
