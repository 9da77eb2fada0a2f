// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "trips-server",
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
        // The models and the queue of the other examples: links to their folders.
        .target(
            name: "SampleTripsModels", dependencies: [.product(name: "Strata", package: "strata")],
            swiftSettings: settings),
        .target(
            name: "WorkQueue", dependencies: [.product(name: "Strata", package: "strata")], swiftSettings: settings),
        .target(
            name: "TripsService",
            dependencies: [
                "SampleTripsModels", "WorkQueue",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataHummingbird", package: "strata"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "TripsServer", dependencies: ["TripsService"], swiftSettings: settings),
        // The load test, with the same routes on plain libpq.
        .systemLibrary(name: "LibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .executableTarget(
            name: "TripsLoad",
            dependencies: [
                "TripsService", "SampleTripsModels", "LibPQ",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TripsServiceTests",
            dependencies: [
                "TripsService", "TripsServer", "SampleTripsModels", "WorkQueue",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
