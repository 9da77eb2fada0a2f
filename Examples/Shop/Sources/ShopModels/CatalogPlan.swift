import Strata

/// All versions, and how one becomes the next. `swift run ShopMigrations generate` writes the files of what is new here.
public enum CatalogPlan: SchemaMigrationPlan {
    /// The versions, oldest first.
    public static var schemas: [any VersionedSchema.Type] { [CatalogV1.self] }
    /// A stage for every pair of neighbours.
    public static var stages: [MigrationStage] { [] }
}

/// The newest version, which the program works with.
public typealias Catalog = CatalogV1
/// The newest version's products.
public typealias Product = Catalog.Product
/// The newest version's orders.
public typealias Order = Catalog.Order
