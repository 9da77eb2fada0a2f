import SampleTripsModels
import StrataMigrationTool

/// The commands for the migrations of the sample: `swift run SampleTripsMigrations help`.
@main struct Migrations: MigrationTool {
    static var plan: any SchemaMigrationPlan.Type { SampleTripsMigrationPlan.self }
}
