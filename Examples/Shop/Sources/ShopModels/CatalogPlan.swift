import Strata

/// All versions, and how one becomes the next. `swift run ShopMigrations generate` writes the files of what is new here.
public enum CatalogPlan: SchemaMigrationPlan {
    public static var schemas: [any VersionedSchema.Type] { [CatalogV1.self] }
    public static var stages: [MigrationStage] { [] }
}

/// The newest version, which the program works with.
public typealias Catalog = CatalogV1
public typealias Product = Catalog.Product
public typealias Order = Catalog.Order
