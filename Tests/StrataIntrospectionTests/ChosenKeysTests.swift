import Foundation
import Strata
import StrataClient
import StrataIntrospection
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing
import UnusualModels

/// Keys that are no primary keys, and parts of keys of other types than models have for keys of one column.
@Suite struct ChosenKeysTests {
    private func withTables(
        _ body: (PostgresConnection, ModelContainer, ModelContext) async throws -> Void
    ) async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            let container = try await database.container(of: UnusualSchema.self)
            defer { container.close() }
            try await body(connection, container, ModelContext(container))
        }
    }

    @Test func objectsAreToldApartByWhatForeignKeysLeadTo() async throws {
        try await withTables { connection, container, context in
            let entries = try await context.fetch(FetchDescriptor<Entry>(sortBy: [SortDescriptor(\.amount)]))
            #expect(entries.map(\.ledger.code) == ["1200", "4400"])
            // The sequence of the column gives the key, and the primary key is a unique value.
            let ledger = Ledger(code: "0800", name: "Capital")
            context.insert(ledger)
            context.insert(Entry(ledger: ledger, amount: 3))
            entries[0].ledger = ledger
            try await context.save()
            let stored = {
                try await connection.lines(
                    "SELECT concat_ws(' ', l.id, code, amount) FROM entry e JOIN ledger l ON l.id = e.ledger_id ORDER BY e.id"
                )
            }
            #expect(try await stored() == ["1 4400 9.50", "3 0800 -9.50", "3 0800 3.00"])
            let again = ModelContext(container)
            again.insert(Ledger(code: "0800", name: "Equity"))
            try await again.save()
            #expect(
                try await connection.lines("SELECT concat_ws(' ', id, code, name) FROM ledger WHERE code = '0800'") == [
                    "3 0800 Equity"
                ])
            context.delete(
                try #require(
                    try await context.fetch(FetchDescriptor<Ledger>(predicate: #Predicate { $0.code == "4400" })).first)
            )
            await #expect(throws: SwiftDataError.self) { try await context.save() }
            context.rollback()
            #expect(try await stored().count == 3)
        }
    }

    @Test func aTableWithoutPrimaryKeyHasObjectsByWhatIsUnique() async throws {
        try await withTables { connection, container, context in
            let coupons = try await context.fetch(
                FetchDescriptor<Coupon>(sortBy: [SortDescriptor(\.issuer), SortDescriptor(\.number)]))
            #expect(coupons.map(\.issuer) == ["mall", "shop", "shop"] && coupons.map(\.number) == [7, 7, 8])
            coupons[0].note = "quarter"
            context.delete(coupons[1])
            context.insert(Coupon(issuer: "fair", number: 1))
            try await context.save()
            #expect(
                try await connection.lines("SELECT concat_ws(' ', issuer, \"number\", note) FROM coupon ORDER BY 1")
                    == ["fair 1", "mall 7 quarter", "shop 8"])
        }
    }

    @Test func aForeignKeyThatComparesMoreLeadsThereByTheKey() async throws {
        try await withTables { connection, _, context in
            let teams = try await context.fetch(FetchDescriptor<Team>(sortBy: [SortDescriptor(\.club)]))
            let player = try #require(try await context.fetch(FetchDescriptor<Player>()).first)
            #expect(player.team.club == "Jena" && player.otherTeamId == 2 && teams.map(\.players.count) == [0, 1])
            // What the foreign key compares beside the key is the server's to compare.
            player.team = teams[0]
            await #expect { try await context.save() } throws: { error in
                (error as? SwiftDataError)?.underlying?.sqlState == "23503"
            }
            player.club = "Gera"
            try await context.save()
            context.delete(teams[0])
            try await context.save()
            #expect(try await connection.lines("SELECT id::text FROM player") == [])
        }
    }

    /// Of one that empties more than the relationship, or has a column that may be NULL, nothing is said that was not said before.
    @Test func classesByHandOpenOverForeignKeysThatCompareMore() async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            try await database.execute(
                "ALTER TABLE player DROP CONSTRAINT player_other_team_id_other_club_fkey",
                "ALTER TABLE player ADD FOREIGN KEY (other_team_id, other_club) REFERENCES team (id, club) ON DELETE SET NULL"
            )
            let container = try await database.container(of: LoanSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let loan = try #require(try await context.fetch(FetchDescriptor<Loan>()).first)
            #expect(loan.side?.club == "Gera")
            context.delete(try #require(loan.side))
            try await context.save()
            #expect(loan.side == nil)
            #expect(
                try await connection.lines("SELECT concat_ws(' ', id, other_team_id, other_club) FROM player") == ["1"])
            // One that cascades where the class does not is a misfit, whatever else it compares.
            let refused = await #expect(throws: SwiftDataError.self) {
                _ = try await database.container(of: StaySchema.self)
            }
            #expect(
                refused?.message.contains(
                    "the foreign key player (team_id) is ON DELETE CASCADE, the delete rule needs NO ACTION") == true,
                "\(String(describing: refused))")
        }
    }

    /// `char(n)`, `date` and `bytea`, and a foreign key that leads there.
    @Test func partsAreTextsWithoutTheirBlanksDaysAndBytes() async throws {
        try await withTables { connection, container, context in
            let descriptor = FetchDescriptor<Rate>(sortBy: [SortDescriptor(\.currency)])
            let rates = try await context.fetch(descriptor)
            #expect(rates.map(\.currency) == ["DM", "EU", "EUR"])
            #expect(rates.map(\.day.description) == ["0044-03-15 BC", "infinity", "2024-01-15"])
            #expect(rates.map(\.digest) == [Data([0x22]), Data(), Data([0x0a, 0xff])])
            let quotes = try await context.fetch(FetchDescriptor<Quote>(sortBy: [SortDescriptor(\.persistentModelID)]))
            #expect(quotes.map { $0.rate === rates[2] || $0.rate === rates[1] } == [true, true, false])
            let wanted = rates[1]
            #expect(
                try await ModelContext(container).fetch(
                    FetchDescriptor<Quote>(predicate: #Predicate { $0.rate == wanted })
                ).count == 1)
            #expect(rates.map(\.quotes.count) == [0, 1, 1])
            let page = try await context.fetchPage(FetchDescriptor<Rate>(), after: nil, size: 1)
            let next = try await context.fetchPage(FetchDescriptor<Rate>(), after: page.next, size: 2)
            #expect(Set((page.objects + next.objects).map(\.currency)) == ["DM", "EU", "EUR"])
            let day = CalendarDate("2024-01-15") ?? .distantPast
            let found = try await ModelContext(container).existingModel(Rate.self, key: "EUR", day, Data([0x0a, 0xff]))
            #expect(found?.rate == 1.25)
            #expect(
                try await ModelContext(container).fetch(
                    FetchDescriptor<Rate>(predicate: #Predicate { $0.day == day && $0.currency == "EUR" })
                )
                .map(\.persistentModelID) == [rates[2].persistentModelID])
            // One row, and several at once.
            rates[1].rate = 3
            try await context.save()
            for rate in rates { rate.rate = 4 }
            let new = Rate(currency: "X", day: day, digest: Data([1]))
            context.insert(new)
            quotes[2].rate = new
            context.delete(rates[0])
            try await context.save()
            #expect(
                try await connection.lines(
                    "SELECT concat_ws(' ', currency || '|', day, digest, rate) FROM rate ORDER BY currency")
                    == ["EU| infinity \\x 4", "EUR| 2024-01-15 \\x0aff 4", "X| 2024-01-15 \\x01"])
            #expect(
                try await connection.lines("SELECT concat_ws(' ', id, currency) FROM quote ORDER BY id") == [
                    "1 EUR", "2 EU ", "3 X  ",
                ])
            let same = try #require(try await ModelContext(container).fetch(descriptor).last)
            #expect(same.persistentModelID == new.persistentModelID)
            context.delete(rates[2])
            context.delete(rates[1])
            try await context.save()
            #expect(quotes.map { $0.rate == nil } == [true, true, false])
            #expect(
                try await connection.lines("SELECT concat_ws(' ', id, currency, day) FROM quote ORDER BY id") == [
                    "1", "2", "3 X   2024-01-15",
                ])
            // What fills a text up is not told from what it ends with, and a longer one is not cut.
            let padded = Rate(currency: "Y ", day: day, digest: Data())
            context.insert(padded)
            await #expect { try await context.save() } throws: { error in
                (error as? SwiftDataError)?.message.hasPrefix(
                    "Rate.currency is part of the key and ends with a blank, which the column currency does not tell")
                    == true
            }
            context.rollback()
            context.insert(Rate(currency: "LONG", day: day, digest: Data()))
            await #expect(throws: SwiftDataError.self) { try await context.save() }
        }
    }

    /// `timestamp`, with an end that never comes, and a number that a sequence gives to rows of others.
    @Test func partsAreMomentsWithoutATimeZone() async throws {
        try await withTables { connection, container, context in
            let tariffs = try await context.fetch(FetchDescriptor<Tariff>(sortBy: [SortDescriptor(\.number)]))
            #expect(tariffs.map(\.price) == [10, 20] && tariffs[0].validTo == .distantFuture)
            for tariff in tariffs { tariff.price = 30 }
            let end = Date(timeIntervalSince1970: 1_735_689_600)
            let third = Tariff(code: 2, validTo: end, number: 3)
            third.price = 40
            context.insert(third)
            try await context.save()
            context.delete(tariffs[1])
            try await context.save()
            #expect(
                try await connection.lines(
                    "SELECT concat_ws(' ', code, valid_to, \"number\", price) FROM tariff ORDER BY 1")
                    == ["1 infinity 1 30", "2 2025-01-01 00:00:00 3 40"])
            #expect(try await ModelContext(container).existingModel(Tariff.self, key: 2, end, 3)?.price == 40)
        }
    }

    /// What is written and what is read do not depend on what a database writes bytes as; a new object with the key of a row is that row.
    @Test func keysOfBytesAreTheSameWhateverTheirOutputIs() async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            try await database.execute("ALTER DATABASE \"\(database.name)\" SET bytea_output = 'escape'")
            let container = try await database.container(of: UnusualSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let day = CalendarDate("2024-01-15") ?? .distantPast
            let rate = try #require(
                try await context.existingModel(Rate.self, key: "EUR", day, Data([0x0a, 0xff])))
            #expect(rate.rate == 1.25)
            let quote = Quote()
            quote.rate = rate
            context.insert(quote)
            try await context.save()
            #expect(rate.quotes.count == 2)
            let other = ModelContext(container)
            let again = Rate(currency: "EUR", day: day, digest: Data([0x0a, 0xff]))
            again.rate = 9
            other.insert(again)
            try await other.save()
            #expect(
                try await connection.lines("SELECT rate::text FROM rate WHERE currency = 'EUR'") == ["9"])
            #expect(
                try await connection.lines("SELECT count(*)::text FROM quote WHERE currency = 'EUR'") == ["2"])
        }
    }

    @Test func rowsWithoutObjectsHaveNoSuchParts() async throws {
        try await withTables { _, _, context in
            let day = CalendarDate("2024-01-15") ?? .distantPast
            await #expect {
                try await context.insert(
                    into: Rate.self, \.currency, \.day, \.digest, rows: [("A", day, Data())])
            } throws: { error in
                (error as? SwiftDataError)?.message.contains("Rows cannot be inserted into Rate without objects")
                    == true
            }
        }
    }

    @Test func aForeignKeyOfAnotherTypeThanTheKeyIsRefused() async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            try await database.execute("ALTER TABLE quote ALTER COLUMN currency TYPE varchar(3)")
            let refused = await #expect(throws: SwiftDataError.self) {
                _ = try await database.container(of: UnusualSchema.self)
            }
            #expect(
                refused?.message.contains(
                    "column quote.currency is varchar(3) and leads to rate.currency, which is character(3): one key would be read as two"
                ) == true, "\(String(describing: refused))")
        }
    }

    /// A table that was divided by hand has one class, which has the rows of all its parts.
    @Test func whatAddsNothingIsPartOfTheTableThatItInheritsFrom() async throws {
        try await withTables { connection, _, context in
            let logs = try await context.fetch(FetchDescriptor<Log>(sortBy: [SortDescriptor(\.line)]))
            #expect(logs.map(\.line) == ["one", "two"])
            logs[1].line = "three"
            try await context.save()
            #expect(try await connection.lines("SELECT line FROM log_2024") == ["three"])
            #expect(try await context.fetch(FetchDescriptor<Badge>()).map(\.color) == ["red"])
        }
    }

    @Test func tablesThatInheritHaveClassesOfTheirOwn() async throws {
        try await withTables { connection, _, context in
            #expect(try await context.fetch(FetchDescriptor<Notice>()).map(\.line) == ["closed"])
            #expect(try await context.fetchCount(FetchDescriptor<Notice>()) == 1)
            let notice = try #require(try await context.fetch(FetchDescriptor<CityNotice>()).first)
            notice.line = "open again"
            context.insert(CityNotice(line: "new", city: notice.city))
            try await context.save()
            #expect(
                try await connection.lines("SELECT concat_ws(' ', id, line) FROM ONLY city_notice ORDER BY id") == [
                    "2 open again", "3 new",
                ])
            // A row of the heir's with the same key is another object's.
            try await connection.run(
                PostgresBatch(
                    PostgresStatement(PreparedSQL("INSERT INTO city_notice VALUES (1, 'same', 1)", isCached: false))))
            let parent = try #require(try await context.fetch(FetchDescriptor<Notice>()).first)
            parent.line = "closed again"
            context.insert(Notice(line: "other"))
            try await context.save()
            let again = {
                try await connection.lines(
                    "SELECT concat_ws(' ', tableoid::regclass, line) FROM notice WHERE id = 1 ORDER BY 1")
            }
            #expect(try await again() == ["city_notice same", "notice closed again"])
            context.delete(parent)
            try await context.save()
            #expect(try await again() == ["city_notice same"])
        }
    }

    @Test func inTablesOfStrataPartsAreOfTheTypesThatKeysHave() async throws {
        let refused = await #expect(throws: SwiftDataError.self) {
            _ = try await ModelContainer(
                for: Schema([Dated.self]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        }
        #expect(
            refused?.message.contains(
                "Dated.day: it is part of the key and date, which parts of keys are in tables of others only (tables = .external). Remedy: declare it as a Date or a "
                    + "String, or give the class a key of one column and a #Unique") == true,
            "\(String(describing: refused))")
    }

    @Test func whichKeyItIsDoesNotDependOnNames() {
        func table(
            _ name: String, _ columns: [(String, ColumnType, default: String?)], key: [String]?,
            uniques: [[String]] = [],
            foreignKeys: [(columns: [String], table: String, referenced: [String])] = []
        ) -> DatabaseDescription.Table {
            DatabaseDescription.Table(
                TableDefinition(
                    name: name, columns: columns.map { ColumnDefinition(name: $0, type: $1, defaultExpression: $2) },
                    primaryKey: key.map { PrimaryKeyDefinition(name: "\(name)_pkey", columns: $0) },
                    uniques: uniques.map { UniqueDefinition(name: $0.joined(), columns: $0) },
                    foreignKeys: foreignKeys.map {
                        ForeignKeyDefinition(
                            name: $0.columns.joined(), columns: $0.columns, referencedTable: $0.table,
                            referencedColumns: $0.referenced,
                            onDelete: .noAction)
                    }))
        }
        let sequence = "nextval('s'::regclass)"
        func key(_ tables: DatabaseDescription.Table...) -> String? {
            let model = ModelPlan(DatabaseDescription(tables: tables)).classes.first { $0.name == "Thing" }
            guard let model else { return nil }
            if !model.primaryKey.isEmpty { return model.primaryKey.joined(separator: ", ") }
            return model.properties.first { $0.arguments.contains(".primaryKey") }?.name ?? model.arguments.joined()
        }
        let columns: [(String, ColumnType, default: String?)] = [
            ("code", .text, nil), ("number", .bigint, sequence), ("other", .text, nil),
        ]
        // The primary key, unless foreign keys lead elsewhere.
        #expect(key(table("things", columns, key: ["code"], uniques: [["number"]])) == "code")
        let reference = table(
            "uses", [("id", .bigint, sequence), ("thing", .bigint, nil)], key: ["id"],
            foreignKeys: [(["thing"], "things", ["number"])])
        #expect(
            key(table("things", columns, key: ["code"], uniques: [["number"]]), reference)
                == "table: \"things\"keyColumn: \"number\"")
        // A number that the server gives, rather than several columns.
        #expect(
            key(table("things", columns, key: ["code", "other"], uniques: [["number"]]))
                == "table: \"things\"keyColumn: \"number\"")
        #expect(key(table("things", columns, key: ["code", "other"])) == "code, other")
        // Without a primary key the fewest columns.
        #expect(key(table("things", columns, key: nil, uniques: [["code", "other"], ["other"]])) == "other")
        #expect(key(table("things", columns, key: nil)) == nil)
        // What leads to a primary key of one column keeps it, however many lead elsewhere; so does a table of another schema.
        let more = [
            reference,
            table(
                "more", [("id", .bigint, sequence), ("thing", .bigint, nil)], key: ["id"],
                foreignKeys: [(["thing"], "things", ["number"])]),
        ]
        let back = table(
            "backs", [("id", .bigint, sequence), ("thing", .text, nil)], key: ["id"],
            foreignKeys: [(["thing"], "things", ["code"])])
        #expect(key(table("things", columns, key: ["code"], uniques: [["number"]]), more[0], more[1], back) == "code")
        var foreign = reference
        foreign.definition.foreignKeys[0].referencedSchema = "elsewhere"
        #expect(key(table("things", columns, key: ["code"], uniques: [["number"]]), foreign) == "code")
        // The key of a row of another table is no other.
        let badges = table(
            "uses", [("id", .bigint, sequence), ("thing", .bigint, nil)], key: ["id"],
            foreignKeys: [(["thing"], "things", ["number"])])
        let above = table("above", [("id", .bigint, sequence)], key: ["id"])
        #expect(
            key(
                table(
                    "things", [("id", .bigint, nil), ("number", .bigint, sequence)], key: ["id"], uniques: [["number"]],
                    foreignKeys: [(["id"], "above", ["id"])]),
                badges, above) == "id")
        // A foreign key that cannot be narrowed does not lead to the number.
        let parts: [(String, ColumnType, default: String?)] = [("tenant", .bigint, nil), ("number", .bigint, sequence)]
        var loose = table(
            "uses", [("id", .bigint, sequence), ("tenant", .bigint, nil), ("thing", .bigint, nil)], key: ["id"],
            foreignKeys: [(["tenant", "thing"], "things", ["tenant", "number"])])
        #expect(
            key(table("things", parts, key: ["tenant", "number"], uniques: [["number"]]), loose)
                == "table: \"things\"keyColumn: \"number\"")
        for index in loose.definition.columns.indices.dropFirst() { loose.definition.columns[index].isNullable = true }
        #expect(
            key(table("things", parts, key: ["tenant", "number"], uniques: [["number"]]), loose) == "tenant, number")
    }
}

@Model
final class Dated {
    #PrimaryKey<Dated>([\.day, \.number])
    var day: CalendarDate
    var number: Int

    init(day: CalendarDate, number: Int) {
        self.day = day
        self.number = number
    }
}

/// Classes by hand for the tables `team` and `player`.
@Model(table: "team", keyColumn: "id")
final class Side {
    var club: String
    @Relationship(inverse: \Loan.side) var loans: [Loan] = []

    init(club: String) { self.club = club }
}

@Model(table: "player", keyColumn: "id")
final class Loan {
    var club: String
    @Relationship(column: "other_team_id") var side: Side?

    init(club: String) { self.club = club }
}

enum LoanSchema: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Side.self, Loan.self] }
}

@Model(table: "team", keyColumn: "id")
final class Home {
    var club: String
    @Relationship(inverse: \Stay.home) var stays: [Stay] = []

    init(club: String) { self.club = club }
}

@Model(table: "player", keyColumn: "id")
final class Stay {
    var club: String
    @Relationship(column: "team_id") var home: Home

    init(club: String, home: Home) {
        self.club = club
        self.home = home
    }
}

enum StaySchema: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Home.self, Stay.self] }
}
