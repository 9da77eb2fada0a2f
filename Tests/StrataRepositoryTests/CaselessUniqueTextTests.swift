import Foundation
import StrataClient
import StrataModels
import StrataTestSupport
import Testing

@testable import StrataRepository

private enum Kind: String, Codable { case person, group }

@Model private class Account {
    #Unique<Account>([\.email], [\.kind, \.name], case: .insensitive)
    #Unique<Account>([\.email], case: .insensitive)
    #Unique<Account>([\.name], case: .insensitive, nulls: .notDistinct) { $0.kind == .person }
    #Unique<Account>([\.email])
    var email = ""
    @Attribute(column: "Display Name") var name: String?
    var kind = Kind.person
    init() {}
}

@Model private final class Robot: Account {
    #Unique<Robot>([\.model], case: .insensitive)
    var model = ""
}

@Model private final class Shelf {
    #PrimaryKey<Shelf>([\.hall, \.row])
    #Unique<Shelf>([\.hall, \.label], case: .insensitive)
    var hall: String
    var row: Int
    var label = ""
    init(_ hall: String, _ row: Int) { (self.hall, self.row) = (hall, row) }
}

@Model private final class Ware {
    #Unique<Ware>([\.code], case: .insensitive)
    @Attribute(.tenant) var shop: String
    var code = ""
    init(_ shop: String) { self.shop = shop }
}

@Model private final class Numbered {
    #Unique<Numbered>([\.number, \.kind], case: .insensitive)
    var number = 0
    var kind = Kind.person
    init() {}
}

@Model private final class Late {
    #Unique<Late>([\.text], case: .insensitive, timing: .deferred)
    var text = ""
    init() {}
}

/// What is unique regardless of case, as SQL, and as files of a schema have it.
@Suite struct CaselessUniqueTextTests {
    private let schema = Schema(Account.self, Robot.self, Shelf.self, Ware.self)
    private var mapping: StoreMapping { StoreMapping(schema) }

    @Test func `a unique index of the lower case of each String that is neither key nor tenant`() throws {
        #expect(SchemaValidation.findings(schema, mapping: mapping) == [])
        let tables = DatabaseDefinition(mapping).tables
        expectText(
            tables.flatMap { $0.uniques.map(\.clause) }.joined(separator: "\n"),
            #"CONSTRAINT "account_email_key1" UNIQUE ("email")"#)
        expectText(
            tables.flatMap { table in
                table.indexes.filter(\.isUnique).map { table.creation(of: $0, in: "public").text }
            }.joined(separator: "\n"),
            #"""
            CREATE UNIQUE INDEX "account_email_key" ON "public"."account" ((lower("email" COLLATE "und-x-icu") COLLATE "C"))
            CREATE UNIQUE INDEX "account_kind_Display Name_key" ON "public"."account" ("kind", (lower("Display Name" COLLATE "und-x-icu") COLLATE "C"))
            CREATE UNIQUE INDEX "account_Display Name_key" ON "public"."account" ((lower("Display Name" COLLATE "und-x-icu") COLLATE "C")) NULLS NOT DISTINCT WHERE ("kind" = 'person'::text)
            CREATE UNIQUE INDEX "robot_model_key" ON "public"."robot" ((lower("model" COLLATE "und-x-icu") COLLATE "C"))
            CREATE UNIQUE INDEX "shelf_hall_label_key" ON "public"."shelf" ("hall", (lower("label" COLLATE "und-x-icu") COLLATE "C"))
            CREATE UNIQUE INDEX "ware_shop_code_key" ON "public"."ware" ("shop", (lower("code" COLLATE "und-x-icu") COLLATE "C"))
            """#)
    }

    @Test(.enabled(if: TestServer.hasICU, "a server built with ICU"))
    func `the server prints it so that it is read as what it was`() async throws {
        let definition = DatabaseDefinition(mapping)
        try await withTestDatabase("caseless") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            for table in definition.tables {
                // Keys of others, and checks, are no part of it.
                let bare = TableDefinition(name: table.name, columns: table.columns)
                try await database.execute(bare.creation(in: "public").text)
                for index in table.indexes where index.isUnique {
                    try await database.execute(bare.creation(of: index, in: "public").text)
                }
            }
            let inspection = DatabaseInspection(schemas: ["public"])
            var batch = PostgresBatch()
            try inspection.add(to: &batch)
            try await connection.run(batch)
            for table in definition.tables {
                let found = try #require(inspection["public"]?.definition.table(named: table.name))
                for index in table.indexes where index.isUnique {
                    let same = try #require(found.indexes.first { $0.name == index.name })
                    #expect(same.keys == index.keys && same.nullsNotDistinct == index.nullsNotDistinct, "\(same)")
                }
            }
        }
        // Of a varchar the server casts, in one place or the other.
        for printed in [
            #"lower(mail COLLATE "und-x-icu")"#, #"lower((mail)::text COLLATE "und-x-icu")"#,
            #"lower(mail::text COLLATE "und-x-icu")"#,
        ] { #expect(CaselessText.column(printed: printed) == "mail", "\(printed)") }
        #expect(CaselessText.column(printed: #"lower("a ""b""" COLLATE "und-x-icu")"#) == #"a "b""#)
        for printed in ["lower(mail)", #"lower(mail COLLATE "en-x-icu")"#, #"upper(mail COLLATE "und-x-icu")"#] {
            #expect(CaselessText.column(printed: printed) == nil, "\(printed)")
        }
    }

    @Test func `a file of a schema keeps it`() throws {
        let read = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        #expect(read == schema)
        let account = try #require(schema.entitiesByName["Account"])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(account), as: UTF8.self)
        #expect(text.contains(#"{"case":"insensitive","names":["email"]}"#), "\(text)")
        #expect(text.contains(#"["email"]"#), "\(text)")
        for key in [
            IndexKeyDefinition("email", fold: .caseless), IndexKeyDefinition("email", fold: .lowercased),
            IndexKeyDefinition("email"), IndexKeyDefinition("email", fold: .caseless, isDescending: true),
        ] {
            #expect(try JSONDecoder().decode(IndexKeyDefinition.self, from: encoder.encode(key)) == key)
        }
    }

    @Test func `where there is no text, and at COMMIT, it is refused`() {
        let schema = Schema(Numbered.self, Late.self)
        let findings = SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map(\.description)
        #expect(
            findings.contains {
                $0.contains(
                    "#Unique of number, kind says that case makes no difference, and none of these properties is a String that is neither part of "
                        + "the key nor the tenant")
            }, "\(findings)")
        #expect(
            findings.contains {
                $0.contains(
                    "#Unique of text is deferred and regardless of case, which makes a unique index of an expression, and PostgreSQL defers "
                        + "constraints only")
            }, "\(findings)")
    }
}
