import Foundation
import StrataClient
import StrataMigrationFiles
import StrataMigrations
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

private struct Spot: PostgresTextCodable, Hashable {
    var x: Double
    static let postgresTypeName = "cube"
    static let postgresExtension: String? = "cube"
    var postgresText: String { "(\(x))" }
    init(_ x: Double) { self.x = x }
    init?(postgresText text: String) {
        guard let x = Double(text.dropFirst().dropLast()) else { return nil }
        self.x = x
    }
}

private enum Bare {
    @Model class Shop {
        var name: String = ""
        init() {}
    }
}
private enum Placed {
    @Model class Shop {
        #Index<Shop>(.gist([\.spot]))
        var name: String = ""
        var spot: Spot = Spot(1.5)
        var other: Spot?
        var open: PostgresRange<Int> = PostgresRange<Int>.empty
        init() {}
    }
}
private enum Renamed {
    @Model class Shop {
        #Index<Shop>(.gist([\.place]))
        #Index<Shop>(.method("gist", [\.name], operatorClass: "gist_trgm_ops"))
        var name: String = ""
        @Attribute(originalName: "spot") var place: Spot = Spot(1.5)
        var other: Spot?
        var open: PostgresRange<Int> = PostgresRange<Int>.empty
        init() {}
    }
}

/// Types that the server knows by their names, and indexes with operator classes: planned, written down, and found again.
@Suite struct OwnTypeMigrationTests {
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    private func drift(_ schema: FrozenSchema, _ database: TestDatabase) async throws -> [String] {
        try await database.onSession { session in
            let found = try await CatalogInspection.read(schemaName: "public", connection: session)
            return CatalogDifference(expected: schema.database, found: found).lines
        }
    }

    @Test func `they are added to rows and renamed along without drift`() async throws {
        let chain = try FolderModels.chain([Bare.Shop.self, Placed.Shop.self, Renamed.Shop.self])
        try folder.generate(chain, schemaName: "public")
        let frozen = try fixture.text("schema/V2.json")
        #expect(frozen.contains("\"cube\"") && frozen.contains("\"int8range\""))
        let stage = try fixture.text("0002_v1_v2.sql")
        #expect(stage.contains(#"ADD COLUMN "spot" cube"#), "\(stage)")
        #expect(stage.contains(#"USING gist ("spot");"#), "\(stage)")
        #expect(try fixture.text("0003_v2_v3.sql").contains(#"USING gist ("name" gist_trgm_ops);"#))
        try folder.check(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("own types", template: .library) { database in
            try await database.execute("CREATE EXTENSION pg_trgm")
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for (index, version) in chain.versions.enumerated() {
                if index == 1 {
                    try await database.execute("INSERT INTO shop (name) VALUES ('there before')")
                    let error = await #expect(throws: MigrationError.self) {
                        try await blocking { try runner.apply(scripts, to: index + 1) }
                    }
                    #expect(
                        error?.remedy?.contains("if cube is an extension's, run CREATE EXTENSION in the database")
                            == true,
                        "\(String(describing: error))")
                    try await database.execute("CREATE EXTENSION cube")
                }
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await drift(version, database) == [])
                if index == 2 {
                    #expect(
                        try await database.texts("SELECT concat_ws('|', name, place, open) FROM shop") == [
                            "there before|(1.5)|empty"
                        ])
                    try await database.execute("DROP INDEX shop_name_idx")
                    try await database.execute(
                        "CREATE INDEX shop_name_idx ON shop USING gist (name gist_trgm_ops(siglen=32))")
                    #expect(try await drift(version, database).count == 0)
                    try await database.execute(
                        "ALTER TABLE shop ALTER open TYPE int4range USING int4range(lower(open)::int, upper(open)::int)"
                    )
                    #expect(try await drift(version, database).joined().contains("int4range"))
                    try await database.execute(
                        "ALTER TABLE shop ALTER open TYPE int8range USING int8range(lower(open), upper(open))")
                }
            }
        }
    }
}
