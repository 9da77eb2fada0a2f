import StrataMigrationTool
import StrataMigrations
import StrataModels
import StrataRepository

/// A small frozen schema made by hand: a class, a subclass, and a class that both sides know.
enum DrawnSchema {
    static let second = FrozenSchema(
        version: Schema.Version(2, 0, 0),
        entities: [
            FrozenEntity(
                name: "BusinessTrip", parent: "Trip", table: "business_trip", discriminator: "BusinessTrip",
                attributes: [
                    FrozenAttribute(
                        name: "perDiem", column: "per_diem", type: "double precision", valueType: "Double",
                        isOptional: true)
                ]),
            FrozenEntity(
                name: "Item", table: "item", discriminator: "Item",
                attributes: [
                    FrozenAttribute(name: "tags", column: "tags", type: "text[]", valueType: "Array<String>")
                ],
                relationships: [
                    FrozenRelationship(
                        name: "trip", destination: "Trip", inverse: "items", deleteRule: "nullify", isToOne: true,
                        isOptional: true, storage: .foreignKey(table: "item", column: "trip_id"))
                ]),
            FrozenEntity(
                name: "Trip", table: "trip", discriminator: "Trip",
                attributes: [FrozenAttribute(name: "name", column: "name", type: "text", valueType: "String")],
                relationships: [
                    FrozenRelationship(
                        name: "items", destination: "Item", inverse: "trip", deleteRule: "cascade", isToOne: false,
                        isOptional: false, storage: .inverseForeignKey(table: "item", column: "trip_id"))
                ]),
        ],
        database: DatabaseDefinition(tables: [
            TableDefinition(
                name: "item",
                columns: [
                    ColumnDefinition(name: "id", type: "bigint"),
                    ColumnDefinition(name: "tags", type: "text[]"),
                    ColumnDefinition(name: "trip_id", type: "bigint", isNullable: true),
                ],
                primaryKey: PrimaryKeyDefinition(name: "item_pkey", columns: ["id"]),
                foreignKeys: [
                    ForeignKeyDefinition(
                        name: "item_trip_id_fkey", columns: ["trip_id"], referencedTable: "trip",
                        referencedColumns: ["id"], onDelete: .cascade)
                ]),
            TableDefinition(
                name: "trip",
                columns: [
                    ColumnDefinition(name: "id", type: "bigint"),
                    ColumnDefinition(name: "name", type: "text", collation: "C"),
                ],
                primaryKey: PrimaryKeyDefinition(name: "trip_pkey", columns: ["id"])),
        ]))

    static let first = FrozenSchema(
        version: Schema.Version(1, 0, 0), entities: second.entities.filter { $0.name == "Trip" },
        database: DatabaseDefinition(tables: second.database.tables.filter { $0.name == "trip" }))

    static let project = MigrationProject(
        chain: { MigrationChain(versions: [first, second], stages: [.init()]) })
}
