// swift-tools-version: 6.1
import PackageDescription

/// As in the package above: a nonisolated async function runs where its caller runs.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// A service as the page "Running a service" shows it, and the tests of what Strata has for services: a package of its own, because
// these parts of Strata are there for packages that ask for them by traits.
let package = Package(
    name: "OperatedService",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "strata", path: "../..", traits: ["Service", "Metrics", "Tracing"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .target(
            name: "OperatedService",
            dependencies: [
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataService", package: "strata"),
                .product(name: "StrataMetrics", package: "strata"),
                .product(name: "StrataTracing", package: "strata"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources",
            swiftSettings: settings
        ),
        // What metrics and traces cost: make bench-observed.
        .executableTarget(
            name: "ObservedCost",
            dependencies: [
                "OperatedService",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataMetrics", package: "strata"),
                .product(name: "StrataTracing", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Cost",
            swiftSettings: settings
        ),
        .testTarget(
            name: "OperatedServiceTests",
            dependencies: [
                "OperatedService",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataService", package: "strata"),
                .product(name: "StrataMetrics", package: "strata"),
                .product(name: "StrataTracing", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Tests",
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
