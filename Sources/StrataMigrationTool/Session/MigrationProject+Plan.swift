package import StrataContext
import StrataMigrations

extension MigrationProject {
    /// A plan with the closures of its stages.
    package init(plan: any SchemaMigrationPlan.Type) {
        self.init(
            chain: { () throws(MigrationError) in try MigrationChain(plan: plan) },
            closures: { (configuration, schemaName) throws(MigrationError) in
                try PlanClosures(plan: plan, configuration: configuration, schemaName: schemaName)
            })
    }
}
