// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "FirstFetch",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "strata", path: "../..")],
    targets: [
        .executableTarget(
            name: "FirstFetch",
            dependencies: [.product(name: "Strata", package: "strata")],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")])
    ]
)
