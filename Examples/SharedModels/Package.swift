// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "SharedModels",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "PackingModels", targets: ["PackingModels"])],
    dependencies: [.package(name: "strata", path: "../..")],
    targets: [
        // For the app and the server. Apple's platforms have a SwiftData of their own.
        .target(
            name: "PackingModels",
            dependencies: [.product(name: "SwiftData", package: "strata", condition: .when(platforms: [.linux]))]),
        // For the server alone.
        .executableTarget(
            name: "PackingServer",
            dependencies: [
                "PackingModels",
                .product(name: "Strata", package: "strata", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    ]
)
