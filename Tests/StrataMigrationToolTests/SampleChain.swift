import SampleTripsModels
import StrataContext
import StrataMigrations

/// The plan of the sample, as its program has it.
enum SampleChain {
    static func chain() throws -> MigrationChain { try MigrationChain(plan: SampleTripsMigrationPlan.self) }
}
