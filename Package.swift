// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

/// Every target of ours: a nonisolated async function runs where its caller runs, so that a context and its models
/// never leave the caller's isolation.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// SwiftPM compiles a target again when a module that the target names has changed. One that is only re-exported to it is not
// among them: a changed layout in StrataModels would leave objects of the old one in every target that only says
// `import Strata`. So whoever names a module that re-exports others names those too: our targets in the loop at the end, and
// targets of other packages through the product.
let reexports: [String: [String]] = {
    let behind = ["StrataMigrations", "StrataRepository", "StrataModels", "StrataClient"]
    let withContext = ["StrataContext"] + behind
    return [
        "StrataContext": behind, "Strata": withContext, "SwiftData": withContext,
        "StrataMigrationTool": ["Strata"] + withContext, "StrataTestSupport": ["StrataTestDatabases"],
    ]
}()

func library(_ name: String) -> Product { .library(name: name, targets: [name] + (reexports[name] ?? [])) }

let package = Package(
    name: "strata",
    platforms: [.macOS(.v15)],
    products: [
        library("Strata"),
        library("SwiftData"),
        library("StrataLocalServer"),
        library("StrataMigrationTool"),
        .plugin(name: "StrataMigrationsPlugin", targets: ["StrataMigrationsPlugin"]),
        library("StrataService"),
        library("StrataMetrics"),
        library("StrataTracing"),
        library("StrataHummingbird"),
        library("StrataTesting"),
        .executable(name: "strata", targets: ["StrataCommand"]),
        library("StrataBrowsing"),
    ],
    // None by default: what no trait asks for is neither fetched nor compiled (Documentation/Decisions/0032-services-metrics-traces.md).
    traits: [
        .trait(name: "Service", description: "StrataService: a container as a service of swift-service-lifecycle"),
        .trait(name: "Metrics", description: "StrataMetrics: figures of a container for swift-metrics"),
        .trait(name: "Tracing", description: "StrataTracing: spans of a container for swift-distributed-tracing"),
        .trait(name: "Hummingbird", description: "StrataHummingbird: models in routes of Hummingbird"),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        // For checksums. libpq depends on it, so its headers come with libpq's.
        .systemLibrary(
            name: "CLibCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .target(
            name: "StrataClient",
            dependencies: ["CLibPQ", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings
        ),
        // Its tests are a package of their own (Macros/Package.swift), which shares the objects: a test in this package would
        // have swift-syntax compiled a second time, for itself.
        .macro(
            name: "StrataMacros",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
            ],
            path: "Macros/Sources",
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "StrataModels",
            dependencies: ["StrataMacros", "StrataClient"],
            swiftSettings: settings
        ),
        .target(
            name: "StrataRepository",
            dependencies: [
                "StrataModels", "StrataClient", "CLibCrypto",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "StrataLocalServer",
            swiftSettings: settings
        ),
        .target(
            name: "StrataMigrations",
            dependencies: [
                "StrataModels", "StrataRepository", "StrataClient",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "StrataContext",
            dependencies: [
                "StrataMacros", "StrataModels", "StrataRepository", "StrataMigrations", "StrataClient",
                "StrataLocalServer",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Strata",
            dependencies: ["StrataContext", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings
        ),
        // Folders of migration files and the linter: what people do with a stage. No application links it
        // (scripts/check-application-modules.sh).
        .target(
            name: "StrataMigrationFiles",
            dependencies: ["StrataMigrations", "StrataRepository", "StrataModels"],
            swiftSettings: settings
        ),
        // Model classes for a database that is there: catalogs, then a plan, then Swift. No application links it
        // (scripts/check-application-modules.sh).
        .target(
            name: "StrataIntrospection",
            dependencies: [
                "StrataMigrations", "StrataRepository", "StrataModels", "StrataClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "StrataMigrationTool",
            dependencies: [
                "Strata", "StrataContext", "StrataIntrospection", "StrataMigrationFiles", "StrataMigrations",
                "StrataRepository",
                "StrataModels", "StrataClient", "StrataLocalServer",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .plugin(
            name: "StrataMigrationsPlugin",
            capability: .command(
                intent: .custom(
                    verb: "strata-migrations",
                    description: "Runs the migration program of this package: generate, lint, plan, apply, status …"),
                permissions: [
                    .writeToPackageDirectory(reason: "to write the migration files"),
                    .allowNetworkConnections(
                        scope: .all(ports: []), reason: "to reach the database that is migrated"),
                ])
        ),
        // `strata new` makes a package, `strata introspect` model classes.
        .executableTarget(
            name: "StrataCommand",
            dependencies: [
                "StrataIntrospection", "StrataClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(name: "SwiftData", dependencies: ["StrataContext"], swiftSettings: settings),
        // A store without its classes, for tools that show data. Packages/StrataStudio tests it.
        .target(
            name: "StrataBrowsing",
            dependencies: [
                "StrataMigrationFiles", "StrataMigrations", "StrataRepository", "StrataModels", "StrataClient",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),

        // How a container is run and watched by packages of the field. Each is empty without its trait; what they do is tested by
        // the package in Examples/OperatedService.
        .target(
            name: "StrataService",
            dependencies: [
                "StrataContext",
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Service"])),
            ],
            swiftSettings: settings
        ),

        .target(
            name: "StrataMetrics",
            dependencies: [
                "StrataContext",
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "StrataTracing",
            dependencies: [
                "StrataContext",
                .product(
                    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ],
            swiftSettings: settings
        ),

        // Empty without its trait, as those above; tested by the package in Packages/StrataHummingbird, which compiles SwiftNIO and Hummingbird.
        .target(
            name: "StrataHummingbird",
            dependencies: [
                "Strata", .product(name: "Logging", package: "swift-log"),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Hummingbird"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["Hummingbird"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Hummingbird"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Hummingbird"])),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["Hummingbird"])),
            ],
            swiftSettings: settings
        ),

        // Databases for tests, copied from templates: this package's own tests have theirs from here, and StrataTesting's users.
        .target(
            name: "StrataTestDatabases",
            dependencies: ["StrataClient", "StrataLocalServer"],
            swiftSettings: settings
        ),
        // For test targets: it links Testing and XCTest. No application links it (scripts/check-application-modules.sh).
        .target(
            name: "StrataTesting",
            dependencies: ["StrataContext", "StrataTestDatabases"],
            swiftSettings: settings
        ),

        .target(
            name: "SampleTripsModels",
            dependencies: ["Strata"],
            path: "Examples/SampleTrips/Models",
            swiftSettings: settings
        ),
        .target(
            name: "ChangingTrips",
            dependencies: ["Strata"],
            path: "Examples/ChangingTrips",
            swiftSettings: settings
        ),
        // As a server's target may be: with none of our settings.
        .target(
            name: "Requests",
            dependencies: ["Strata", "SampleTripsModels"],
            path: "Examples/Requests"
        ),
        .target(
            name: "WorkQueue",
            dependencies: ["Strata"],
            path: "Examples/WorkQueue",
            swiftSettings: settings
        ),
        // One package of models for an app and a server (its own Package.swift shows the dependencies): as apps are written.
        .target(
            name: "PackingModels",
            dependencies: ["SwiftData"],
            path: "Examples/SharedModels/Sources/PackingModels"
        ),
        .executableTarget(
            name: "PackingServer",
            dependencies: ["PackingModels", "Strata"],
            path: "Examples/SharedModels/Sources/PackingServer",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SampleTrips",
            dependencies: ["Strata", "SampleTripsModels", "Requests"],
            path: "Examples/SampleTrips/Program",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SampleTripsMigrations",
            dependencies: ["StrataMigrationTool", "SampleTripsModels"],
            path: "Examples/SampleTrips/Migrations",
            swiftSettings: settings
        ),
        // The other benchmarks are a package of their own (Benchmarks/Package.swift). These time single statements,
        // steps and tenants through what only this package sees: connections, frozen schemas, the runner of migrations.
        .executableTarget(
            name: "StrataMigrationBenchmarks",
            dependencies: [
                "Strata", "StrataMigrations", "StrataClient", "StrataLocalServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/Migrations",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StrataHistoryBenchmarks",
            dependencies: [
                "Strata", "StrataRepository", "StrataModels", "StrataClient", "StrataLocalServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/History",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StrataTenantBenchmarks",
            dependencies: [
                "Strata", "StrataMigrationTool", "StrataClient", "StrataLocalServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/Tenants",
            swiftSettings: settings
        ),

        .target(
            name: "StrataTestSupport",
            dependencies: ["StrataTestDatabases", "StrataClient", "StrataLocalServer"],
            path: "Tests/StrataTestSupport",
            swiftSettings: settings
        ),
        // Containers on databases of their own, for the tests of every module above it.
        .target(
            name: "StrataModelTestSupport",
            dependencies: [
                "Strata", "StrataTestSupport", "SampleTripsModels", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/StrataModelTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrataClientTests",
            dependencies: ["StrataClient", "StrataTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrataModelsTests",
            dependencies: ["StrataModels", "StrataClient"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrataRepositoryTests",
            dependencies: ["StrataRepository", "StrataModels", "StrataClient", "StrataTestSupport"],
            swiftSettings: settings
        ),
        // Names nothing that leads to StrataContext, whose changes would compile all of it again.
        .testTarget(
            name: "StrataMigrationsTests",
            dependencies: [
                "StrataMigrationFiles", "StrataMigrations", "StrataRepository", "StrataModels", "StrataClient",
                "StrataTestSupport",
            ],
            exclude: ["PlannedSQL"],
            swiftSettings: settings
        ),
        // Written by introspection, as they are: of databases that are made by hand, and of the sample's. With none of our settings.
        .target(name: "TradingModels", dependencies: ["Strata"], path: "Tests/IntrospectedModels/Trading"),
        .target(name: "UnusualModels", dependencies: ["Strata"], path: "Tests/IntrospectedModels/Unusual"),
        .target(name: "IntrospectedTrips", dependencies: ["Strata"], path: "Tests/IntrospectedModels/Trips"),
        .testTarget(
            name: "StrataIntrospectionTests",
            dependencies: [
                "StrataIntrospection", "StrataMigrations", "StrataRepository", "StrataModels", "StrataClient",
                "StrataTestSupport", "Strata", "StrataContext", "TradingModels", "UnusualModels", "IntrospectedTrips",
                "SampleTripsModels", .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Databases"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrataMigrationToolTests",
            dependencies: [
                "StrataMigrationTool", "StrataMigrationFiles", "StrataMigrations", "StrataRepository", "StrataModels",
                "StrataClient", "StrataBrowsing", "StrataTestSupport", "Strata", "SampleTripsModels",
                "SampleTripsMigrations",
            ],
            exclude: ["EarlierRelease"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StrataTestProcess",
            dependencies: ["Strata", "SampleTripsModels"],
            path: "Tests/StrataTestProcess",
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrataTests",
            dependencies: [
                "Strata", "StrataContext", "StrataMigrations", "StrataRepository", "StrataModels", "StrataClient",
                "SwiftData", "StrataTestSupport", "StrataModelTestSupport", "SampleTripsModels", "ChangingTrips",
                "Requests", "StrataTestProcess",
            ],
            swiftSettings: settings
        ),
        // What a context is asked for beyond its objects.
        .testTarget(
            name: "StrataQueryTests",
            dependencies: [
                "Strata", "SwiftData", "StrataTestSupport", "StrataModelTestSupport", "SampleTripsModels", "WorkQueue",
            ],
            swiftSettings: settings
        ),
        // Values, aggregates and groups, which are read without objects.
        .testTarget(
            name: "StrataValueTests",
            dependencies: [
                "Strata", "StrataClient", "StrataTestSupport", "StrataModelTestSupport", "SampleTripsModels",
            ],
            swiftSettings: settings
        ),
        // Source as it is written for SwiftData: in Swift 5's mode, with none of our settings.
        .target(
            name: "PortedModels",
            dependencies: ["SwiftData"],
            path: "Tests/PortedModels",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same in Swift 6's mode, the package's.
        .target(
            name: "PortedModels6",
            dependencies: ["SwiftData"],
            path: "Tests/PortedModels6"
        ),
        .testTarget(
            name: "PortedModelTests",
            dependencies: ["PortedModels", "PortedModels6", "SwiftData", "StrataTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrataCommandTests",
            dependencies: ["StrataCommand"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrataTestingTests",
            dependencies: ["StrataTesting", "Strata", "SampleTripsModels"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StrataLocalServerTests",
            dependencies: ["StrataLocalServer"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    var names = target.dependencies.compactMap { dependency -> String? in
        if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    for module in names.flatMap({ reexports[$0] ?? [] }) where !names.contains(module) {
        names.append(module)
        target.dependencies.append(.byName(name: module))
    }
}
