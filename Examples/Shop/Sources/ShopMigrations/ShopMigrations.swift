import ShopModels
import StrataMigrationTool

/// The commands for migrations: `swift run ShopMigrations help`.
@main struct ShopMigrations: MigrationTool {
    static var plan: any SchemaMigrationPlan.Type { CatalogPlan.self }
}
