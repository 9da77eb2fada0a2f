import Foundation
import SampleTripsModels
import Strata
import StrataClient
import Testing

/// What the database may come to hold although the class cannot.
@Model private final class Reading {
    enum Unit: String, Codable { case metre, second }
    enum Grade: Int16, Codable {
        case one = 1
        case two = 2
    }
    struct Place: Codable, Hashable { var x: Int }

    var name: String
    var unit = Unit.metre
    var grade = Grade.one
    var units: [Unit] = []
    var tiny: Int8 = 0
    var byte: UInt8 = 0
    var uint64: UInt64 = 0
    var decimal: Decimal = 0
    var link = URL(fileURLWithPath: "/")
    var place = Place(x: 1)
    var tags: [String] = []
    var when = Date(timeIntervalSince1970: 0)
    var note: String?
    @Attribute(.externalStorage) var blob: Data?
    @Relationship(inverse: \Source.readings) var source: Source
    init(name: String, source: Source) {
        self.name = name
        self.source = source
    }
}

@Model private final class Source {
    var title: String
    var readings: [Reading] = []
    init(title: String) { self.title = title }
}

private func withReading(_ label: String, _ body: (ModelStore, ModelContext, Reading) async throws -> Void) async throws
{
    try await withModelStore(Reading.self, Source.self, label: label) { store in
        let context = ModelContext(store.container)
        let reading = Reading(name: "r", source: Source(title: "s"))
        context.insert(reading)
        try await context.save()
        try await body(store, context, reading)
    }
}

/// Another context, and this one, fetch and save as if nothing had happened.
private func expectUsableReadings(_ context: ModelContext, _ location: SourceLocation = #_sourceLocation) async throws {
    context.rollback()
    let source = Source(title: "usable \(UUID())")
    context.insert(source)
    try await context.save()
    let title = source.title
    let found = try await context.fetch(FetchDescriptor<Source>(predicate: #Predicate { $0.title == title })).first
    #expect(found === source, sourceLocation: location)
}

@Suite struct ErrorsStoredValueTests {
    @Test(arguments: [
        ("unit", "unit = 'parsec'"), ("grade", "grade = 9"), ("units", "units = '{metre,parsec}'"),
        ("units", "units = '{NULL}'"), ("units", "units = '{{metre},{second}}'"), ("tags", "tags = '{a,NULL}'"),
        ("tiny", "tiny = 300"), ("byte", "byte = -1"), ("uint64", "uint64 = -1"),
        ("uint64", "uint64 = 18446744073709551616"),
        ("uint64", "uint64 = 'NaN'"), ("decimal", "decimal = ('1' || repeat('0', 300))::numeric"),
        ("decimal", "decimal = 'Infinity'"), ("decimal", "decimal = repeat('1', 60)::numeric"), ("link", "link = ''"),
        ("place", #"place = '{"x": "text"}'"#), ("place", "place = 'null'"), ("place", "place = '7'"),
    ])
    func `a stored value that the type cannot hold is an error that names the property`(property: String, set: String)
        async throws
    {
        try await withReading("value") { store, context, reading in
            try await store.database.execute(
                // What our tables check, somebody has taken away.
                """
                DO $$ DECLARE c record; BEGIN FOR c IN SELECT conname FROM pg_constraint WHERE conrelid = 'reading'::regclass
                AND contype = 'c' LOOP EXECUTE format('ALTER TABLE reading DROP CONSTRAINT %I', c.conname); END LOOP; END $$
                """,
                "UPDATE reading SET \(set)")
            let reader = ModelContext(store.container)
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await reader.fetch(FetchDescriptor<Reading>())
            }
            #expect(error?.code == .invalidValue, "\(String(describing: error))")
            #expect(error?.message.contains("Reading.\(property)") == true, "\(String(describing: error))")
            #expect(error?.message.contains("reading.\(property)") == true, "\(String(describing: error))")
            #expect(error?.description.contains("parsec") == false)
            try await expectUsableReadings(reader)
            // The object that was in memory before keeps its values.
            let refreshed = await #expect(throws: SwiftDataError.self) { try await context.refresh([reading]) }
            #expect(refreshed?.code == .invalidValue)
            #expect(reading.unit == .metre)
            #expect(reading.place == Reading.Place(x: 1))
            #expect(reading.tags.isEmpty)
            try await expectUsableReadings(context)
        }
    }

    @Test func `a number the type can hold in spite of its column is read`() async throws {
        try await withReading("fits") { store, _, _ in
            try await store.database.execute(
                "UPDATE reading SET uint64 = 18446744073709551615, decimal = 'NaN', \"when\" = 'infinity', link = 'a b'"
            )
            let read = try #require(try await ModelContext(store.container).fetch(FetchDescriptor<Reading>()).first)
            #expect(read.uint64 == .max)
            #expect(read.decimal.isNaN)
            #expect(read.when == .distantFuture)
        }
    }

    @Test(arguments: ["name", "unit", "tiny", "when", "place", "tags", "source", "decimal"])
    func `NULL in a property that is not optional is an error that names the property`(property: String) async throws {
        try await withReading("null") { store, context, reading in
            try await store.database.execute(
                "ALTER TABLE reading ALTER \"\(property)\" DROP NOT NULL", "UPDATE reading SET \"\(property)\" = NULL")
            let reader = ModelContext(store.container)
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await reader.fetch(FetchDescriptor<Reading>())
            }
            #expect(error?.code == .invalidValue, "\(String(describing: error))")
            #expect(error?.message.contains("Reading.\(property)") == true, "\(String(describing: error))")
            #expect(error?.message.contains("reading.\(property)") == true, "\(String(describing: error))")
            try await expectUsableReadings(reader)
            // Also when a getter finds it, or an enumeration, or a relationship.
            let source = try #require(
                try await reader.fetch(FetchDescriptor<Source>(predicate: #Predicate { $0.title == "s" })).first)
            if property != "source" {
                #expect(source.readings.isEmpty)
                let later = await #expect(throws: SwiftDataError.self) { try await reader.save() }
                #expect(later?.code == .unfulfilledFault, "\(String(describing: later))")
                #expect(later?.message.contains("Reading.\(property)") == true, "\(String(describing: later))")
            }
            let enumerated = await #expect(throws: SwiftDataError.self) {
                try await reader.enumerate(FetchDescriptor<Reading>()) { (_: Reading) in }
            }
            #expect(enumerated?.code == .invalidValue)
            try await expectUsableReadings(reader)
            // Writing the property again heals the row.
            if property == "name" {
                reading.name = "again"
                context.conflictPolicy = .overwrite
                try await context.save()
                #expect(try await reader.fetch(FetchDescriptor<Reading>()).first?.name == "again")
            }
        }
    }

    @Test(arguments: ["trip", "business_trip"])
    func `a class in the discriminator that the code does not know is an error that names it`(table: String)
        async throws
    {
        try await withTripStore("class") { store in
            let context = ModelContext(store.container)
            let trip = BusinessTrip(name: "A", destination: "B", startDate: day(0), endDate: day(1), perdiem: 1)
            trip.bucketList = [BucketListItem(title: "x")]
            context.insert(trip)
            try await context.save()
            try await store.database.execute(
                """
                DO $$ DECLARE c record; BEGIN FOR c IN SELECT conname FROM pg_constraint WHERE conrelid = 'trip'::regclass
                AND contype = 'c' LOOP EXECUTE format('ALTER TABLE trip DROP CONSTRAINT %I', c.conname); END LOOP; END $$
                """,
                "UPDATE trip SET class = 'SpaceTrip'")
            let reader = ModelContext(store.container)
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await reader.fetch(FetchDescriptor<Trip>())
            }
            #expect(error?.code == .unknownSchema)
            #expect(error?.message.contains("SpaceTrip") == true)
            let identifiers = await #expect(throws: SwiftDataError.self) {
                _ = try await reader.fetchIdentifiers(FetchDescriptor<Trip>())
            }
            #expect(identifiers?.code == .unknownSchema)
            let item = try #require(try await reader.fetch(FetchDescriptor<BucketListItem>()).first)
            #expect(item.trip == nil)
            let late = await #expect(throws: SwiftDataError.self) { try await reader.save() }
            #expect(late?.message.contains("SpaceTrip") == true, "\(String(describing: late))")
            try await store.database.execute("UPDATE trip SET class = 'BusinessTrip'")
            #expect(item.trip?.name == "A")
            try await expectUsable(reader)
        }
    }

    @Test(arguments: [
        "text", "bigint USING 1", "double precision USING 1", "boolean USING true", "jsonb USING '1'", "bytea USING ''",
        "text[] USING '{}'", "date USING '2020-01-01'",
    ])
    func `a column of another type is an error when the container opens and under one that is open`(type: String)
        async throws
    {
        for property in ["when", "name", "tiny", "tags"] {
            try await withReading("type") { store, context, reading in
                let old = try await columnType(property, store)
                if type.hasPrefix(old) { return }
                // Loaded before, so that statements are prepared and objects registered.
                let reader = ModelContext(store.container)
                _ = try await reader.fetch(FetchDescriptor<Reading>())
                try await store.database.execute(
                    "ALTER TABLE reading ALTER \"\(property)\" TYPE \(type.contains("USING") ? type : "\(type) USING \"\(property)\"::text")"
                )
                for context in [reader, ModelContext(store.container)] {
                    let error = await #expect(throws: SwiftDataError.self, "\(property)") {
                        _ = try await context.fetch(FetchDescriptor<Reading>())
                    }
                    #expect(error?.code == .storeDoesNotFit, "\(property): \(String(describing: error))")
                    #expect(error?.message.contains("Reading.\(property)") == true, "\(String(describing: error))")
                    #expect(error?.message.contains("reading.\(property)") == true, "\(String(describing: error))")
                    try await expectUsableReadings(context)
                }
                let opening = await #expect(throws: SwiftDataError.self) {
                    try await store.reopened(Schema(Reading.self, Source.self))
                }
                #expect(opening?.code == .storeDoesNotFit)
                #expect(opening?.message.contains("Reading.\(property)") == true, "\(String(describing: opening))")
                #expect(opening?.message.contains("reading.\(property)") == true, "\(String(describing: opening))")
                // A save fails or works; it does not trap, and what it wrote can be put back.
                reading.note = "x"
                reading.name = "y"
                do { try await context.save() } catch { #expect(error is SwiftDataError, "\(error)") }
                try await expectUsableReadings(context)
            }
        }
    }

    private func columnType(_ property: String, _ store: ModelStore) async throws -> String {
        let connection = try await store.database.connect()
        defer { connection.close() }
        var type = ""
        var batch = PostgresBatch()
        batch.add(
            PostgresStatement(
                PreparedSQL(
                    "SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = 'reading'::regclass AND attname = '\(property)'",
                    isCached: false)), onRow: { type = try $0.decode(0, as: String.self) })
        try await connection.run(batch)
        return type
    }

    @Test func `columns and tables that vanish are errors, and the context goes on`() async throws {
        try await withReading("vanish") { store, context, reading in
            try await store.database.execute("ALTER TABLE reading DROP COLUMN note")
            let fetch = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Reading>())
            }
            #expect(fetch?.code == .storeFailure)
            #expect(fetch?.sqlState == "42703")
            reading.note = "x"
            let save = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(save?.sqlState == "42703")
            try await expectUsableReadings(context)
            let opening = await #expect(throws: SwiftDataError.self) {
                try await store.reopened(Schema(Reading.self, Source.self))
            }
            #expect(opening?.code == .storeDoesNotFit, "\(String(describing: opening))")
            try await store.database.execute("DROP TABLE reading")
            let gone = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Reading>())
            }
            #expect(gone?.sqlState == "42P01")
            try await expectUsableReadings(context)
        }
    }

    @Test func `a table that another process migrates under open statements keeps working`() async throws {
        try await withReading("migrate") { store, context, reading in
            _ = try await context.fetch(FetchDescriptor<Reading>())
            try await store.database.execute(
                "ALTER TABLE reading ADD COLUMN extra text", "ALTER TABLE reading ALTER name TYPE varchar(200)",
                "ALTER TABLE source ALTER title TYPE varchar")
            #expect(try await context.fetch(FetchDescriptor<Reading>()).first === reading)
            reading.name = "n"
            try await context.save()
            #expect(reading.source.title == "s")
            try await expectUsableReadings(context)
        }
    }
}
