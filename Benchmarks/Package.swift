// swift-tools-version: 6.1
import PackageDescription

/// As in the package above: a nonisolated async function runs where its caller runs.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// A package of its own, so that it sees of Strata what every user sees and nothing more. The programs in History/ and
// Migrations/ measure parts that no user sees; they are targets of the package above.
let package = Package(
    name: "strata-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "strata", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(
            name: "LibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        // The same work in C on libpq, as fast as we know how to do it: what the ratios are measured against.
        .target(name: "PlainClient", dependencies: ["LibPQ"]),
        .executableTarget(
            name: "StrataBenchmarks",
            dependencies: [
                "PlainClient",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StrataObservingBenchmarks",
            dependencies: [
                "PlainClient",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataLocalServer", package: "strata"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
