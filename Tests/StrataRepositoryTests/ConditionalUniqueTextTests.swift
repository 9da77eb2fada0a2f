import Foundation
import StrataModels
import StrataRepository
import Testing

private enum Kind: String, Codable { case open, closed }

@Model private class Ticket {
    #Unique<Ticket>([\.number], [\.owner, \.number]) { $0.kind == .open && $0.endDate == nil }
    #Unique<Ticket>([\.number]) { $0.kind == .closed }
    // Said twice, it is one index.
    #Unique<Ticket>([\.number]) { $0.kind == .closed }
    #Unique<Ticket>([\.name])
    var number = 0
    var name = ""
    var kind = Kind.open
    var endDate: Date?
    var owner: Owner?
    init() {}
}

@Model private final class Season: Ticket {
    #Unique<Season>([\.seat]) { $0.seat > 0 }
    var seat = 0
}

@Model private final class Owner {
    @Relationship(inverse: \Ticket.owner) var tickets: [Ticket] = []
    init() {}
}

/// What is unique among some rows, as SQL, and as files of a schema have it.
@Suite struct ConditionalUniqueTextTests {
    private let schema = Schema(Ticket.self, Season.self, Owner.self)
    private var mapping: StoreMapping { StoreMapping(schema) }

    @Test func `among all rows a constraint, among some a unique index`() throws {
        #expect(SchemaValidation.findings(schema, mapping: mapping) == [])
        let tables = DatabaseDefinition(mapping).tables
        expectText(
            tables.flatMap { $0.uniques.map(\.clause) }.joined(separator: "\n"),
            #"CONSTRAINT "ticket_name_key" UNIQUE ("name")"#)
        expectText(
            tables.flatMap { table in
                table.indexes.filter(\.isUnique).map { table.creation(of: $0, in: "public").text }
            }.joined(separator: "\n"),
            #"""
            CREATE UNIQUE INDEX "ticket_number_key" ON "public"."ticket" ("number") WHERE ("kind" = 'open'::text AND "end_date" IS NULL)
            CREATE UNIQUE INDEX "ticket_owner_number_key" ON "public"."ticket" ("owner", "number") WHERE ("kind" = 'open'::text AND "end_date" IS NULL)
            CREATE UNIQUE INDEX "ticket_number_key1" ON "public"."ticket" ("number") WHERE ("kind" = 'closed'::text)
            CREATE UNIQUE INDEX "season_seat_key" ON "public"."season" ("seat") WHERE ("seat" > '0'::bigint)
            """#)
    }

    @Test func `a file of a schema keeps the text of the condition`() throws {
        let read = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        #expect(read == schema)
        let ticket = try #require(schema.entitiesByName["Ticket"])
        let text = String(decoding: try JSONEncoder().encode(ticket), as: UTF8.self)
        #expect(text.contains(#"["name"]"#), "\(text)")
        #expect(text.contains(#"$0.kind == .closed"#), "\(text)")
        #expect(ticket.uniquenessConstraints == [["number"], ["owner", "number"], ["number"], ["number"], ["name"]])
    }
}
