import Foundation
import PackagePlugin

/// Runs the package's migration program: `swift package strata-migrations plan --database-url …`.
///
/// The program is the executable target that depends on the product `StrataMigrationTool`; where several do, the first
/// argument names one: `--target ShopMigrations`. It is built in debug mode and run in the directory where `swift package`
/// was called, with all other arguments as they are.
///
/// The commands write files and talk to a database, both of which the sandbox of a plugin forbids. Allow them before the
/// verb, so that nobody is asked:
///
/// ```
/// swift package --allow-writing-to-package-directory --allow-network-connections all strata-migrations generate
/// ```
///
/// A plugin cannot hand on an exit code: `swift package` ends with 1 for every failure, and a line `error: …` names the
/// code. Pipelines that tell the codes apart call the program itself: `swift run ShopMigrations apply`.
@main struct StrataMigrationsPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var arguments = arguments
        let target = try target(from: &arguments, in: context.package)
        let program = try build(target)

        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure("\(target) \(arguments.first ?? "") ended with exit code \(process.terminationStatus).")
        }
    }

    /// The one that was named, or the only one there is.
    private func target(from arguments: inout [String], in package: Package) throws -> String {
        let targets = package.targets(ofType: SwiftSourceModuleTarget.self)
            .filter { $0.kind == .executable && $0.embedsTool }.map(\.name).sorted()
        let listed = targets.isEmpty ? "there is none" : "there are: " + targets.joined(separator: ", ")
        if arguments.first == "--target" {
            guard arguments.count > 1, targets.contains(arguments[1]) else {
                throw Failure("--target names an executable target that depends on StrataMigrationTool; \(listed).")
            }
            defer { arguments.removeFirst(2) }
            return arguments[1]
        }
        guard let target = targets.first, targets.count == 1 else {
            throw Failure(
                targets.isEmpty
                    ? "No executable target of the package depends on StrataMigrationTool."
                    : "Several targets depend on StrataMigrationTool; \(listed). Name one first: --target \(targets[0])."
            )
        }
        return target
    }

    private func build(_ target: String) throws -> URL {
        let result = try packageManager.build(
            .product(target), parameters: PackageManager.BuildParameters(configuration: .debug))
        guard result.succeeded else {
            throw Failure("\(target) cannot be built:\n\(result.logText)")
        }
        guard
            let program = result.builtArtifacts.first(where: {
                $0.kind == .executable && $0.url.lastPathComponent == target
            })
        else { throw Failure("\(target) was built, and no program of this name came of it.") }
        return program.url
    }
}

extension SwiftSourceModuleTarget {
    /// Whether it depends on the tool, by the product or, in Strata's own package, by the target.
    fileprivate var embedsTool: Bool {
        dependencies.contains { dependency in
            switch dependency {
            case .product(let product): product.name == "StrataMigrationTool"
            case .target(let target): target.name == "StrataMigrationTool"
            @unknown default: false
            }
        }
    }
}

/// What `swift package` prints behind `error:`.
private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
