import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Keys that are texts: byte by byte, of any length, beside keys of other kinds.
@Suite struct TextKeyTests {
    private typealias Country = Texted.Country
    private typealias Kingdom = Texted.Kingdom
    private typealias City = Texted.City
    private typealias Street = Texted.Street
    private typealias League = Texted.League
    private typealias Note = Texted.Note
    private typealias Crown = Texted.Crown

    /// Longer than what stands in two words.
    private static let long = "a long key, of Spain"

    private func withCountries(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Texted.schema) { store in
            let context = ModelContext(store.container)
            let (union, spain, france) = (Country("eu"), Kingdom(Self.long, "Spain"), Country("fr", "France"))
            (spain.monarch, spain.size, spain.crown) = ("Felipe", 5, Crown(17))
            (spain.union, france.union) = (union, union)
            spain.cities = [City("Madrid"), City("Sevilla")]
            spain.cities[0].streets = [Street("Gran Vía"), Street("O'Donnell")]
            france.cities = [City("Paris")]
            spain.notes = [Note("z"), Note("y, a longer one"), Note("")]
            let (chess, choir) = (League("chess"), League("choir"))
            chess.members = [spain, france]
            choir.members = [spain]
            for object in [union, spain, france] as [Country] { context.insert(object) }
            try await context.save()
            try await body(store, ModelContext(store.container))
        }
    }

    private func country(_ name: String, _ context: ModelContext) async throws -> Country {
        try #require(
            try await context.fetch(FetchDescriptor<Country>(predicate: #Predicate { $0.name == name })).first)
    }

    // MARK: Texts

    @Test func `every text is a key of its own, and comes back byte by byte`() async throws {
        try await withModelStore(of: Texted.schema) { store in
            let context = ModelContext(store.container)
            for (number, text) in Texted.texts.enumerated() {
                let country = Country(text, "\(number)")
                country.cities = [City("\(number)")]
                context.insert(country)
                #expect(try await context.existingModel(Country.self, id: text) === country)
            }
            try await context.save()
            let stored = try await store.database.texts(
                "SELECT encode(convert_to(code, 'UTF8'), 'hex') || ' ' || name FROM country ORDER BY code")
            let expected = Texted.texts.enumerated()
                .sorted { $0.element.utf8.lexicographicallyPrecedes($1.element.utf8) }
                .map { number, text in
                    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + " \(number)"
                }
            #expect(stored == expected)

            let reader = ModelContext(store.container)
            let all = try await reader.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)]))
            #expect(all.count == Texted.texts.count)
            for city in all {
                let text = try #require(Int(city.name).map { Texted.texts[$0] })
                let country = try #require(city.country)
                #expect(country.name == city.name && country.code.utf8.elementsEqual(text.utf8))
                let identifier = country.persistentModelID
                #expect(PersistentIdentifier(identifier.description) == identifier)
                let coded = try JSONEncoder().encode([identifier])
                #expect(try JSONDecoder().decode([PersistentIdentifier].self, from: coded) == [identifier])
                let path = identifier.urlPathComponent
                #expect(path.utf8.allSatisfy { $0 < 128 && $0 > 32 && $0 != UInt8(ascii: "/") })
                #expect(try PersistentIdentifier(urlPathComponent: path, of: Country.self) == identifier)
                let fresh = ModelContext(store.container)
                let found = try await fresh.model(Country.self, id: text)
                #expect(found.name == city.name && found.cities.map(\.name) == [city.name], "\(text)")
                let same = try await reader.fetch(
                    FetchDescriptor<City>(predicate: #Predicate { $0.country?.code == text }))
                #expect(same.map(\.name) == [city.name], "\(text)")
                let byIdentifier = try await reader.fetch(
                    FetchDescriptor<City>(predicate: #Predicate { $0.country?.persistentModelID == identifier }))
                #expect(byIdentifier.map(\.name) == [city.name], "\(text)")
            }
            #expect(Set(all.map { $0.country?.persistentModelID }).count == Texted.texts.count)

            // Half of them go, with what they have.
            for (number, text) in Texted.texts.enumerated() where number.isMultiple(of: 2) {
                reader.delete(try await reader.model(Country.self, id: text))
            }
            try await reader.save()
            #expect(
                try await store.database.texts("SELECT name FROM country EXCEPT SELECT name FROM city") == [])
            let left = try await store.database.texts("SELECT name FROM city ORDER BY name::int")
            #expect(left == Texted.texts.indices.filter { !$0.isMultiple(of: 2) }.map { "\($0)" })
        }
    }

    @Test func `a text with the character 0 is refused, as is one that is taken or was changed`() async throws {
        try await withCountries { store, context in
            context.insert(Country("a\u{0}b"))
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                refused?.message.contains("Country.code is the key of the object") == true
                    && refused?.message.contains("without the character 0") == true,
                "\(String(describing: refused))")
            #expect(try await context.existingModel(Country.self, id: "a\u{0}b") == nil)
            context.insert(Country("fr", "other"))
            let taken = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                taken?.code == .uniqueConstraint && taken?.message.contains("Country.code") == true,
                "\(String(describing: taken))")
            context.rollback()
            // The same to `==`, and another key.
            let fresh = ModelContext(store.container)
            let new = Country("\u{E9}")
            fresh.insert(new)
            try await fresh.save()
            new.code = "e\u{301}"
            let changed = await #expect(throws: SwiftDataError.self) { try await fresh.save() }
            #expect(changed?.message.contains("Country.code is the key") == true, "\(String(describing: changed))")
            new.code = "\u{E9}"
            try await fresh.save()
            #expect(
                try await store.database.texts("SELECT octet_length(code)::text FROM country WHERE code ~ '[^ -~]'")
                    == ["2"])
        }
    }

    @Test func `what a stranger sends is kept only where it may be a key`() async throws {
        try await withCountries { store, context in
            let store = try await context.model(Country.self, id: "fr").persistentModelID.storeIdentifier ?? ""
            let long = String(repeating: "z", count: 2_704)
            #expect(PersistentIdentifier("strata:\(store)/Country/_\(long)") != nil)
            #expect(PersistentIdentifier("strata:\(store)/Country/_\(long)z") == nil)
            #expect(PersistentIdentifier("strata:\(store)/Country/_~6c~6fng and not escaped") == nil)
            let component = try #require(PersistentIdentifier("strata:s/Country/_fr")).urlPathComponent
            #expect(try PersistentIdentifier(urlPathComponent: component, of: Country.self).entityName == "Country")
            for text in ["City._fr.s", "Country.17.s", "Country._fr~.s", "Nobody._a~20long~20key.s"] {
                #expect(throws: SwiftDataError.self) {
                    _ = try PersistentIdentifier(urlPathComponent: text, of: Country.self)
                }
            }
            #expect(throws: SwiftDataError.self) {
                _ = try PersistentIdentifier(urlPathComponent: "City._fr.s", of: City.self)
            }
        }
    }

    // MARK: Tables and identifiers

    @Test func `keys, foreign keys and pairs have the type and the order of the key`() async throws {
        try await withCountries { store, _ in
            let columns = try await store.database.texts(
                """
                SELECT table_name || ': ' || string_agg(column_name, ', ' ORDER BY ordinal_position)
                FROM information_schema.columns WHERE table_schema = 'public' AND udt_name = 'text' AND collation_name = 'C'
                GROUP BY table_name ORDER BY table_name
                """)
            #expect(
                columns == [
                    "city: name, country", "country: code, class, name, union", "country_leagues: country_code",
                    "crown: owner", "kingdom: code, monarch", "league: title", "note: slug, country_notes",
                    "street: street_id",
                ])
        }
    }

    @Test func `another kind of key is told, and identifiers made of parts are found`() async throws {
        try await withCountries { store, context in
            let wrong = await #expect(throws: SwiftDataError.self) {
                _ = try await context.existingModel(Country.self, id: 17)
            }
            #expect(wrong?.code == .invalidIdentifier && wrong?.message.contains("keys of Country are text") == true)
            let other = await #expect(throws: SwiftDataError.self) {
                _ = try await context.existingModel(City.self, id: "17")
            }
            #expect(other?.message.contains("keys of City are bigint") == true)
            let missing = await #expect(throws: SwiftDataError.self) {
                _ = try await context.model(Country.self, id: "xx")
            }
            #expect(
                missing?.code == .modelNotFound && missing.map { "\($0.debugDescription)" }?.contains("\"xx\"") == true)
            #expect(missing?.message.contains("xx") == false)
            let spain = try await context.model(Kingdom.self, id: Self.long)
            let identifier = spain.persistentModelID
            #expect(
                try PersistentIdentifier.identifier(
                    for: identifier.storeIdentifier ?? "", entityName: "Kingdom", primaryKey: Self.long) == identifier)
            #expect(identifier.description.hasSuffix("/Kingdom/_a~20long~20key~2c~20of~20Spain"))
            let before = store.recorder.statements.count
            #expect(try await context.existingModel(Country.self, id: Self.long) === spain)
            #expect(store.recorder.statements.count == before)
            let existing: Kingdom? = try await ModelContext(store.container).existingModel(for: identifier)
            #expect(existing?.monarch == "Felipe")
            let number = PersistentIdentifier(
                "strata:\(identifier.storeIdentifier ?? "")/Country/17")
            let unknown = await #expect(throws: SwiftDataError.self) {
                let _: Country? = try await context.existingModel(for: try #require(number))
            }
            #expect(unknown?.message.contains("text") == true, "\(String(describing: unknown))")
        }
    }

    // MARK: Objects

    @Test func `relationships lead from kind to kind, in memory, by predicates and prefetched`() async throws {
        try await withCountries { store, context in
            let spain = try #require(try await country("Spain", context) as? Kingdom)
            #expect(spain.union?.code == "eu" && spain.crown?.number == 17 && spain.crown?.owner === spain)
            #expect(Set(spain.cities.map(\.name)) == ["Madrid", "Sevilla"])
            #expect(spain.notes.map(\.slug) == ["z", "y, a longer one", ""])
            #expect(Set(spain.leagues.map(\.title)) == ["chess", "choir"])
            #expect(Set(spain.union?.members.map(\.name) ?? []) == ["Spain", "France"])
            #expect(
                Set(spain.cities.first { $0.name == "Madrid" }?.streets.map(\.id) ?? []) == ["Gran Vía", "O'Donnell"])

            var descriptor = FetchDescriptor<Country>(sortBy: [SortDescriptor(\.name)])
            descriptor.relationshipKeyPathsForPrefetching = [\.cities, \.leagues, \.union, \.notes]
            let reader = ModelContext(store.container)
            let all = try await reader.fetch(descriptor)
            let before = store.recorder.statements.count
            #expect(all.map { $0.cities.count + $0.leagues.count + $0.notes.count } == [2, 7, 0])
            #expect(all.map { $0.union?.code } == ["eu", "eu", nil])
            #expect(store.recorder.statements.count == before)

            let (code, identifier) = (spain.code, spain.persistentModelID)
            func names(_ predicate: Predicate<Country>) async throws -> [String] {
                let found = try await reader.fetch(
                    FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]))
                return found.map(\.name)
            }
            #expect(try await names(#Predicate { $0.code == code }) == ["Spain"])
            #expect(try await names(#Predicate { $0.code != code }) == ["France", "named eu"])
            #expect(try await names(#Predicate { $0.persistentModelID == identifier }) == ["Spain"])
            let some = [code, "fr", "none"]
            #expect(try await names(#Predicate { some.contains($0.code) }) == ["France", "Spain"])
            let others = Set(all.map(\.persistentModelID)).subtracting([identifier])
            #expect(try await names(#Predicate { others.contains($0.persistentModelID) }) == ["France", "named eu"])
            #expect(try await names(#Predicate { $0.code.starts(with: "f") }) == ["France"])
            #expect(try await names(#Predicate { $0.union?.code == "eu" }) == ["France", "Spain"])
            #expect(try await names(#Predicate { $0 is Kingdom }) == ["Spain"])
            #expect(try await names(#Predicate { $0.leagues.contains { $0.title == "choir" } }) == ["Spain"])
            #expect(try await names(#Predicate { $0.cities.count > 1 && $0.notes.count == 3 }) == ["Spain"])
            let kingdoms = try await reader.fetch(FetchDescriptor<Kingdom>(predicate: #Predicate { $0.code == code }))
            #expect(kingdoms.map(\.monarch) == ["Felipe"])
            #expect(
                Set(try await reader.fetchIdentifiers(FetchDescriptor<Country>()))
                    == Set(all.map(\.persistentModelID)))
            let pairs = try await reader.fetch(
                FetchDescriptor<Country>(sortBy: [SortDescriptor(\.name)]), selecting: \.code, \.persistentModelID,
                \.union?.persistentModelID)
            #expect(pairs.map(\.0) == all.map(\.code) && pairs.map(\.1) == all.map(\.persistentModelID))
            #expect(pairs.map(\.2) == all.map { $0.union?.persistentModelID })
            let ordered = try await reader.fetch(FetchDescriptor<Country>(sortBy: [SortDescriptor(\.code)]))
            #expect(ordered.map(\.code) == [Self.long, "eu", "fr"])
            let byKey = try await reader.fetch(
                FetchDescriptor<Country>(sortBy: [SortDescriptor(\.id, order: .reverse)]))
            // By class first, as identifiers are ordered.
            #expect(byKey.map(\.code) == [Self.long, "fr", "eu"])
        }
    }

    @Test func `changes, moves and deletions follow their rules`() async throws {
        try await withCountries { store, context in
            let spain = try #require(try await country("Spain", context) as? Kingdom)
            let france = try await country("France", context)
            // A rule that forbids says of whom it speaks.
            context.delete(spain)
            let denied = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                denied?.code == .deleteDenied && denied?.identifiers == [spain.persistentModelID],
                "\(String(describing: denied))")
            context.rollback()

            spain.notes = [spain.notes[2], spain.notes[0], spain.notes[1]]
            france.cities.append(contentsOf: spain.cities)
            france.leagues = []
            spain.union = france
            spain.crown = nil
            let found = try await context.fetch(
                FetchDescriptor<Country>(predicate: #Predicate { $0.union?.name == "France" }))
            #expect(found.map(\.name) == ["Spain"])
            let league = League("new")
            league.members = [france]
            try await context.save()
            let reader = ModelContext(store.container)
            let again = try await country("Spain", reader)
            #expect(again.notes.map(\.slug) == ["", "z", "y, a longer one"] && again.cities.isEmpty)
            #expect(again.union?.cities.count == 3 && again.union?.leagues.map(\.title) == ["new"])

            // From texts to numbers and on to texts.
            reader.delete(try await country("France", reader))
            #expect(try await reader.fetchCount(FetchDescriptor<City>()) == 0)
            #expect(try await reader.fetchCount(FetchDescriptor<Street>()) == 0)
            #expect(
                try await reader.fetchCount(FetchDescriptor<Country>(predicate: #Predicate { $0.union == nil })) == 2)
            try await reader.save()
            reader.delete(try await country("Spain", reader))
            try await reader.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(',', (SELECT count(*) FROM country), (SELECT count(*) FROM kingdom), (SELECT count(*) FROM city), (SELECT count(*) FROM street), (SELECT count(*) FROM note), (SELECT count(*) FROM country_leagues))"
                ) == ["1,0,0,0,0,0"])
            #expect(try await store.database.texts("SELECT count(*)::text FROM crown") == ["1"])
        }
    }

    @Test func `unique values meet the row, whose key the object takes`() async throws {
        try await withCountries { store, context in
            let spain = try await country("Spain", context)
            let double = Kingdom("es", "Spain")
            double.monarch = "Letizia"
            double.leagues = try await context.fetch(
                FetchDescriptor<League>(predicate: #Predicate { $0.title == "chess" }))
            double.cities = [City("Vigo")]
            context.insert(double)
            #expect(double.code == "es" && double.persistentModelID != spain.persistentModelID)
            try await context.save()
            #expect(double.code == Self.long && double.persistentModelID == spain.persistentModelID)
            let reader = ModelContext(store.container)
            let same = try #require(try await country("Spain", reader) as? Kingdom)
            #expect(same.monarch == "Letizia" && same.cities.count == 3)

            let third = Kingdom("third", "Spain")
            struct Stop: Error {}
            await #expect(throws: Stop.self) {
                try await reader.transaction {
                    reader.insert(third)
                    try await reader.save()
                    #expect(third.code == Self.long)
                    throw Stop()
                }
            }
            #expect(third.code == "third")
            context.uniquePolicy = .ignore
            let fourth = Kingdom("fourth", "Spain")
            context.insert(fourth)
            try await context.save()
            #expect(fourth.code == Self.long && fourth.monarch == "Letizia")
        }
    }

    @Test func `updates, deletions and insertions of many rows`() async throws {
        try await withCountries { store, context in
            let codes = [Self.long]
            try context.update(
                model: Kingdom.self, where: #Predicate { codes.contains($0.code) }, .set(\.monarch, to: "X"))
            #expect(
                try await context.fetchCount(FetchDescriptor<Kingdom>(predicate: #Predicate { $0.monarch == "X" })) == 1
            )
            let spain = try await country("Spain", context)
            try context.update(
                model: City.self, where: #Predicate { $0.name == "Paris" }, .set(\.country, to: spain.persistentModelID)
            )
            let refused = #expect(throws: SwiftDataError.self) {
                try context.update(model: Country.self, .set(\.code, to: "q"))
            }
            #expect(refused?.message.contains("Country.code is the key of the objects") == true)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT DISTINCT country FROM city") == [Self.long])

            let texts = Texted.texts.filter { $0 != "" }
            let result = try await context.insert(
                into: Country.self, \.code, \.name, rows: texts.map { ($0, "row \($0)") }, reportsIdentifiers: true)
            #expect(result.identifiers?.count == texts.count)
            let named = try #require(result.identifiers?.first { $0 == result.identifiers?[12] })
            let found: Country? = try await context.existingModel(for: named)
            #expect(found?.code == texts[12])
            // A row that is there keeps its key.
            try await context.insert(into: Country.self, \.code, \.name, \.size, rows: [("again", "France", 9)])
            #expect(try await store.database.texts("SELECT code FROM country WHERE size = 9") == ["fr"])
            try await context.insert(
                into: City.self, \.name, \.country?.persistentModelID, rows: [("Jaén", spain.persistentModelID)])
            #expect(try await store.database.texts("SELECT country FROM city WHERE name = 'Jaén'") == [Self.long])
            let zero = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Country.self, \.code, \.name, rows: [("a\u{0}", "zero")])
            }
            #expect(zero != nil)
            let taken = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Note.self, \.slug, rows: ["new", "z"], uniquePolicy: .fail)
            }
            #expect(taken?.code == .uniqueConstraint, "\(String(describing: taken))")
        }
    }

    @Test func `pages go forth and back over every text, also from a place that is left`() async throws {
        try await withModelStore(of: Texted.schema) { store in
            let context = ModelContext(store.container)
            for (number, text) in Texted.texts.enumerated() { context.insert(Country(text, "\(number / 4)-\(number)")) }
            try await context.save()
            for sort in [[], [SortDescriptor(\Country.name)]] {
                let descriptor = FetchDescriptor<Country>(sortBy: sort)
                var (seen, back): ([[UInt8]], [[UInt8]]) = ([], [])
                var (cursor, last): (PageCursor?, PageCursor?)
                repeat {
                    let page = try await context.fetchPage(descriptor, after: cursor, size: 4)
                    seen += page.objects.map { Array($0.code.utf8) }
                    last = page.previous
                    cursor = try page.next.map { try PageCursor($0.text) }
                } while cursor != nil
                #expect(seen.count == Texted.texts.count && Set(seen).count == seen.count)
                while let place = last {
                    let page = try await context.fetchPage(descriptor, before: PageCursor(place.text), size: 4)
                    back = page.objects.map { Array($0.code.utf8) } + back
                    last = page.previous
                }
                #expect(back == seen.dropLast(seen.count - back.count) && seen.count - back.count <= 4)
            }
            // The last object goes, and all behind the cursor: the way back leads over the one at the cursor.
            let descriptor = FetchDescriptor<Country>()
            let page = try await context.fetchPage(descriptor, after: nil, size: 5)
            let rest = try await context.fetch(descriptor).filter { !page.objects.contains($0) }
            for object in rest { context.delete(object) }
            try await context.save()
            let empty = try await context.fetchPage(descriptor, after: page.next, size: 5)
            #expect(empty.objects.isEmpty)
            let again = try await context.fetchPage(
                descriptor, before: PageCursor(try #require(empty.previous).text), size: 5)
            #expect(again.objects == page.objects)
            let first = try await context.fetchPage(descriptor, after: nil, size: 1)
            let nothing = try await context.fetchPage(descriptor, before: first.next, size: 5)
            #expect(nothing.objects.isEmpty)
            let forth = try await context.fetchPage(descriptor, after: nothing.next, size: 5)
            #expect(forth.objects == page.objects)
            for text in ["", "AwAA", String(first.next?.text.dropLast() ?? "")] {
                #expect(throws: SwiftDataError.self) { _ = try PageCursor(text) }
            }
        }
    }

    @Test func `batches, enumeration, locks and SQL know them`() async throws {
        try await withCountries { store, context in
            for text in Texted.texts where text != "" { context.insert(Country(text)) }
            try await context.save()
            let total = Texted.texts.count + 2
            let reader = ModelContext(store.container)
            var count = 0
            try await reader.enumerate(FetchDescriptor<Country>(), batchSize: 4) { _ in count += 1 }
            #expect(count == total)
            let batches = try await reader.fetch(
                FetchDescriptor<Country>(sortBy: [SortDescriptor(\.name)]), batchSize: 4)
            #expect(Set(batches.map { Array($0.code.utf8) }).count == total)
            try await reader.transaction {
                var descriptor = FetchDescriptor<Country>(
                    predicate: #Predicate { $0.code == "fr" || $0.code == "100%_" })
                descriptor.lock = .update
                let locked = try await reader.fetch(descriptor)
                #expect(locked.count == 2)
            }
            let codes = try await reader.fetch(
                String.self, sql: "SELECT \(\Country.code) FROM \(Country.self) WHERE \(\Country.name) = \("Spain")")
            let objects = try await reader.fetch(
                Country.self,
                sql: "SELECT \(\Country.persistentModelID) FROM \(Country.self) WHERE \(\Country.code) = \(codes[0])")
            #expect(objects.map(\.name) == ["Spain"])
            for (list, count) in [([objects[0].persistentModelID], 1), ([], 0)] {
                let found = try await reader.fetch(
                    Int.self,
                    sql: "SELECT count(*) FROM \(Country.self) WHERE \(\Country.persistentModelID) = ANY(\(list))")
                #expect(found == [count])
            }
            let partial = ModelContext(store.container)
            var few = FetchDescriptor<Country>(sortBy: [SortDescriptor(\.name)])
            few.propertiesToFetch = [\.name]
            let parts = try await partial.fetch(few)
            let before = store.recorder.statements.count
            #expect(Set(parts.map { Array($0.code.utf8) }).count == total)
            #expect(store.recorder.statements.count == before)
            #expect(parts.first { $0.code == "eu" }?.union == nil)
            #expect(parts.first { $0.code == "fr" }?.union?.code == "eu")
        }
    }

    @Test func `undo, transactions, another class and a refresh`() async throws {
        try await withCountries { store, context in
            let undo = ModelUndoManager()
            context.undoManager = undo
            let france = try await country("France", context)
            context.delete(france)
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM city") == ["2"])
            undo.undo()
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws(',', (SELECT count(*) FROM city WHERE country = 'fr'), (SELECT count(*) FROM country_leagues WHERE country_code = 'fr'), (SELECT \"union\" FROM country WHERE code = 'fr'))"
                ) == ["1,1,eu"])
            context.insert(Country("new, and too long for words"))
            try await context.save()
            undo.undo()
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM country") == ["3"])
            undo.redo()
            try await context.save()
            #expect(
                try await store.database.texts("SELECT code FROM country WHERE code > 'g'") == [
                    "new, and too long for words"
                ])
            context.undoManager = nil

            let kingdom = try await context.convert(try await country("France", context), to: Kingdom.self) {
                $0.monarch = "Louis"
            }
            #expect(kingdom.code == "fr" && kingdom.persistentModelID.description.hasSuffix("/Kingdom/_fr"))
            try await store.database.execute("UPDATE country SET name = 'Gaul' WHERE code = 'fr'")
            try await context.refresh([kingdom])
            #expect(kingdom.name == "Gaul" && kingdom.monarch == "Louis")
            struct Stop: Error {}
            await #expect(throws: Stop.self) {
                try await context.transaction {
                    kingdom.monarch = "X"
                    context.delete(try await context.model(Country.self, id: "eu"))
                    try await context.save()
                    throw Stop()
                }
            }
            #expect(try await store.database.texts("SELECT monarch FROM kingdom WHERE code = 'fr'") == ["Louis"])
            #expect(try await store.database.texts("SELECT count(*)::text FROM country") == ["4"])
        }
    }

    // MARK: History, snapshots, observers

    @Test func `the history names them, whatever they look like, and other contexts follow`() async throws {
        try await withCountries { store, context in
            let follower = ModelContext(store.container)
            for text in Texted.texts where text != "" { context.insert(Country(text, "n\(text)")) }
            try await context.save()
            let known = try await follower.fetch(FetchDescriptor<Country>(sortBy: [SortDescriptor(\.code)]))
            let token = try #require(
                try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
            ).token
            for country in try await context.fetch(FetchDescriptor<Country>()) { country.size += 7 }
            try await context.save()
            try await store.database.execute("UPDATE country SET size = size + 1")
            let history = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
            #expect(history.count == 2)
            for transaction in history {
                #expect(
                    Set(transaction.changes.map(\.changedPersistentIdentifier)) == Set(known.map(\.persistentModelID)))
            }
            _ = try await follower.mergeHistory(after: token)
            #expect(known.allSatisfy { $0.size == ($0.name == "Spain" ? 13 : 8) })
            for text in ["17", "0190163d-8694-739b-aea5-966c26f8ad91", "O'Neil", "e\u{301}", Self.long] {
                let country = try await context.model(Country.self, id: text)
                let identifier = country.persistentModelID
                let about = try await context.fetchHistory(
                    HistoryDescriptor<DefaultHistoryTransaction>(
                        predicate: #Predicate {
                            $0.token > token && $0.changes.contains { $0.changedPersistentIdentifier == identifier }
                        }))
                #expect(about.count == 2, "\(text)")
            }
            let uuid = try await context.model(Country.self, id: "0190163d-8694-739b-aea5-966c26f8ad91")
            let identifier = uuid.persistentModelID
            context.delete(uuid)
            try await context.save()
            let last = try #require(try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
            guard case .delete(let left as DefaultHistoryDelete<Texted.Country>)? = last.changes.first else {
                Issue.record("no deletion: \(last.summary)")
                return
            }
            #expect(left.changedPersistentIdentifier == identifier && left.tombstone[\.size] as? Int == 8)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `results that are observed follow`() async throws {
        try await withCountries { store, context in
            let descriptor = FetchDescriptor<Country>(sortBy: [SortDescriptor(\.name)])
            var results: [[String]] = []
            for try await countries in store.container.results(of: descriptor) {
                results.append(countries.map(\.name))
                if results.count == 1 {
                    context.insert(Country("an observed one", "Chile"))
                    let spain = try await country("Spain", context)
                    spain.name = "Zamunda"
                    try await context.save()
                } else {
                    break
                }
            }
            #expect(results == [["France", "Spain", "named eu"], ["Chile", "France", "Zamunda", "named eu"]])
        }
    }

    @Test func `snapshots, patches and CSV have the key as a property`() async throws {
        try await withCountries { store, context in
            let spain = try #require(try await country("Spain", context) as? Kingdom)
            let data = try JSONEncoder().encode(spain.snapshot())
            #expect(String(decoding: data, as: UTF8.self).contains("\"code\":\"\(Self.long)\""))
            let copy = try JSONDecoder().decode(ModelSnapshot<Texted.Kingdom>.self, from: data)
            #expect(copy.code == Self.long && copy.monarch == "Felipe")
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID()).csv")
            defer { try? FileManager.default.removeItem(at: file) }
            try await context.exportCSV(
                FetchDescriptor<Street>(sortBy: [SortDescriptor(\.id)]), selecting: \.id, to: file)
            try await store.database.execute("DELETE FROM street")
            try await context.importCSV(from: file, into: Street.self, \.id)
            #expect(
                try await store.database.texts("SELECT street_id FROM street ORDER BY 1") == ["Gran Vía", "O'Donnell"])
        }
    }

    // MARK: Tables that are there

    private func container(_ database: TestDatabase, _ schema: Schema) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: try #require(database.foundationURL))
        configuration.tables = .external
        return try await ModelContainer(for: schema, configurations: [configuration], logger: Logger(label: "test"))
    }

    @Test(
        arguments: ["text", "varchar(60)", "text COLLATE \"C\""]
            + (TestServer.hasICU ? ["varchar(60) COLLATE \"en-x-icu\""] : []))
    func `tables that were made by hand are opened as they are`(_ type: String) async throws {
        try await withTestDatabase { database in
            try await database.execute(
                """
                CREATE TABLE shelf (code \(type) PRIMARY KEY, "above" \(type) REFERENCES shelf ON DELETE CASCADE)
                """,
                """
                CREATE TABLE book (isbn \(type) PRIMARY KEY, shelf \(type) REFERENCES shelf ON DELETE CASCADE)
                """,
                "INSERT INTO shelf VALUES ('A', NULL), ('a', 'A'), ('_ 2', 'a')",
                "INSERT INTO book VALUES ('978-3', '_ 2'), ('x', 'A')")
            let container = try await container(database, Schema(Shelved.Shelf.self, Shelved.Book.self))
            let context = ModelContext(container)
            let book = try await context.model(Shelved.Book.self, id: "978-3")
            #expect(book.shelf?.above?.code == "a" && book.shelf?.above?.above?.code == "A")
            context.insert(Shelved.Book("978-17", book.shelf))
            for text in Texted.texts where text.count < 60 && text != "a" && text != "A" {
                context.insert(Shelved.Shelf(text))
            }
            try await context.save()
            var seen: [[UInt8]] = []
            var cursor: PageCursor?
            repeat {
                let page = try await context.fetchPage(FetchDescriptor<Shelved.Shelf>(), after: cursor, size: 7)
                seen += page.objects.map { Array($0.code.utf8) }
                cursor = page.next
            } while cursor != nil
            #expect(Set(seen).count == seen.count)
            #expect(try await database.texts("SELECT count(*)::text FROM shelf") == ["\(seen.count)"])
            // By the rules, through both tables.
            context.delete(try await context.model(Shelved.Shelf.self, id: "a"))
            try await context.save()
            #expect(try await database.texts("SELECT isbn FROM book") == ["x"])
            #expect(try await database.texts("SELECT code FROM shelf WHERE code IN ('A', 'a', '_ 2')") == ["A"])
            await container.close()
        }
    }

    @Test func `a column in which a key is several texts is refused`() async throws {
        let loose = "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
        for (type, part, first) in [
            ("char(5)", "these can be text or varchar", "SELECT"),
            ("citext", "these can be text or varchar", "CREATE EXTENSION citext"),
            ("bigint", "these can be text or varchar", "SELECT"),
            ("text COLLATE loose", "takes different texts for the same", loose),
        ] where first != loose || TestServer.hasICU {
            try await withTestDatabase { database in
                try await database.execute(
                    first,
                    "CREATE TABLE shelf (code \(type) PRIMARY KEY, \"above\" \(type) REFERENCES shelf)",
                    "CREATE TABLE book (isbn text PRIMARY KEY, shelf \(type) REFERENCES shelf)")
                let error = await #expect(throws: SwiftDataError.self) {
                    _ = try await container(database, Schema(Shelved.Shelf.self, Shelved.Book.self))
                }
                #expect(error?.code == .storeDoesNotFit)
                let text = "\(String(describing: error))"
                #expect(text.contains("shelf.code") && text.contains("book.shelf") && text.contains(part), "\(text)")
            }
        }
    }
}

/// Tables of somebody else.
private enum Shelved {
    @Model final class Shelf {
        @Attribute(.primaryKey) var code: String
        var above: Shelf?
        @Relationship(deleteRule: .cascade, inverse: \Shelf.above) var below: [Shelf] = []
        @Relationship(deleteRule: .cascade, inverse: \Book.shelf) var books: [Book] = []
        init(_ code: String) { self.code = code }
    }
    @Model final class Book {
        @Attribute(.primaryKey) var isbn: String
        var shelf: Shelf?
        init(_ isbn: String, _ shelf: Shelf?) {
            self.isbn = isbn
            self.shelf = shelf
        }
    }
}
