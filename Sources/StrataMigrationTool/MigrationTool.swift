import Foundation
public import StrataContext
import StrataMigrations

/// A program with the commands for a migration plan: `generate`, `lint`, `plan`, `apply`, `status`, `drift`, `rollback` and
/// others.
///
/// An executable target of your package that depends on your models and on `StrataMigrationTool`, with this in it, is all
/// it takes:
///
/// ```swift
/// import StrataMigrationTool
///
/// @main struct Migrations: MigrationTool {
///     static var plan: any SchemaMigrationPlan.Type { TripsMigrationPlan.self }
/// }
/// ```
///
/// ```
/// $ swift run Migrations generate
/// wrote migrations/schema/V1.json
/// wrote migrations/0001_v1.sql
/// $ swift run Migrations apply --database-url postgres://app@db.internal/shop
/// ```
///
/// The program ends with a code that tells a pipeline what happened: ``MigrationError/Code/exitCode``.
public protocol MigrationTool {
    /// The plan whose versions and stages the commands work with.
    static var plan: any SchemaMigrationPlan.Type { get }
}

extension MigrationTool {
    /// Does what the process's arguments say, and ends the process with the exit code of the outcome.
    public static func main() {
        let invocation = ToolInvocation(project: MigrationProject(plan: plan), surroundings: .process)
        exit(invocation.run(Array(CommandLine.arguments.dropFirst())))
    }
}
