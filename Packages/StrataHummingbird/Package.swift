// swift-tools-version: 6.2
import PackageDescription

/// As in Strata's own package: a nonisolated async function runs where its caller runs.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// The tests of StrataHummingbird, which is a product of Strata's own package behind the trait Hummingbird. A package of its own, so that nobody
// compiles SwiftNIO and Hummingbird who does not serve HTTP with them.
let package = Package(
    name: "strata-hummingbird-tests",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "strata", path: "../..", traits: ["Hummingbird"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    ],
    targets: [
        .testTarget(
            name: "StrataHummingbirdTests",
            dependencies: [
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataHummingbird", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        )
    ],
    swiftLanguageModes: [.v6]
)
