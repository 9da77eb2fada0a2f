// swift-tools-version: 6.1
import PackageDescription

/// A function that takes a context runs where its caller runs.
let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "Shop",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "strata", path: "../..")
    ],
    targets: [
        .target(
            name: "ShopModels",
            dependencies: [.product(name: "Strata", package: "strata")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Shop",
            dependencies: ["ShopModels", .product(name: "Strata", package: "strata")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ShopMigrations",
            dependencies: ["ShopModels", .product(name: "StrataMigrationTool", package: "strata")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "ShopModels",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
            ],
            swiftSettings: settings
        ),
    ]
)
