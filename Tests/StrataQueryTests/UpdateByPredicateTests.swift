import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Suite struct UpdateByPredicateTests {
    private func withVehicles(
        line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void
    ) async throws {
        try await withModelStore(Vehicle.self, Car.self, Racer.self, Garage.self, Locker.self, line: line) { store in
            let context = ModelContext(store.container)
            let garage = Garage("north")
            context.insert(garage)
            context.insert(Garage("south"))
            for number in 0..<3 { context.insert(Vehicle("v\(number)", wheels: number + 2, garage: garage)) }
            for number in 0..<3 { context.insert(Car("c\(number)", doors: number + 2)) }
            context.insert(Racer("r0", power: 500, garage: garage))
            for number in 0..<3 { context.insert(Locker(number, "l\(number)")) }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    /// What another context reads.
    private func stored<Value: Sendable>(
        _ store: ModelStore, _ keyPath: KeyPath<Vehicle, Value>, _ predicate: Predicate<Vehicle>? = nil
    ) async throws -> [Value] {
        try await ModelContext(store.container).fetch(
            FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]), selecting: keyPath)
    }

    private func updates(_ store: ModelStore) -> [String] {
        store.recorder.statements.filter { $0.contains("UPDATE \"") }
    }

    @Test func `one table is one statement in the transaction of the save`() async throws {
        try await withVehicles { store, context in
            context.author = "workshop"
            let before = try await store.container.currentHistoryToken()
            store.recorder.reset()
            let update = try context.update(
                model: Vehicle.self, where: #Predicate { $0.wheels > 3 }, .set(\.note, to: "checked"),
                .add(5, to: \.price))
            #expect(update.count == nil)
            #expect(store.recorder.roundTrips == 0)
            #expect(context.hasChanges)
            try await context.save()
            #expect(update.count == 5)
            #expect(update.identifiers == nil)
            #expect(!context.hasChanges)
            #expect(
                updates(store) == [
                    #"UPDATE "public"."vehicle" AS t0 SET "note" = $1::text, "price" = t0."price" + $2::numeric WHERE (t0."wheels" > $3::bigint)"#
                ])
            #expect(store.recorder.statements.first == "BEGIN")
            #expect(store.recorder.statements.last == "COMMIT")
            #expect(try await stored(store, \.price) == [15, 15, 15, 15, 10, 10, 15])
            let transactions = try await context.fetchHistory(
                HistoryDescriptor(predicate: #Predicate<DefaultHistoryTransaction> { $0.token > before }))
            #expect(transactions.map(\.author) == ["workshop"])
            #expect(transactions.first?.changes.count == 5)
        }
    }

    @Test func `parts of a Codable value are set where they stand`() async throws {
        try await withVehicles { store, context in
            let edited = try #require(
                try await context.fetch(FetchDescriptor<Vehicle>(predicate: #Predicate { $0.name == "v1" })).first)
            edited.note = "edited"
            let date = Date(timeIntervalSince1970: 1_700_000_000.25)
            let update = try context.update(
                model: Vehicle.self, where: #Predicate { $0.name < "v2" && $0.name > "r" },
                .set(\.plate.country, to: "it's \"F\""), .set(\.plate.since, to: date), .set(\.wheels, to: 8))
            // An object with unsaved changes has them at once, and a fetch sees the others as they will be.
            #expect(edited.plate == Vehicle.Plate(country: "it's \"F\"", number: 3, since: date))
            let before = try await context.fetch(
                FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]), selecting: \.plate.country)
            #expect(before == ["CH", "CH", "CH", "it's \"F\"", "it's \"F\"", "it's \"F\"", "CH"])
            try await context.save()
            #expect(update.count == 3)
            let direct = updates(store).first { $0.contains("jsonb_set") }
            #expect(
                direct?.contains(
                    """
                    "plate" = jsonb_set(jsonb_set(t0."plate", ARRAY[$1::text], $2::jsonb), ARRAY[$3::text], $4::jsonb), "wheels" = $5::bigint
                    """) == true, "\(direct ?? "")")
            let plates = try await stored(store, \.plate)
            #expect(plates.map(\.number) == [4, 4, 4, 4, 2, 3, 4])
            #expect(plates.map(\.since) == [nil, nil, nil, date, date, date, nil])
            _ = try context.update(model: Car.self, .set(\.plate.since, to: nil), .add(1, to: \.doors))
            try await context.save()
            #expect(try await stored(store, \.plate.since) == [nil, nil, nil, nil, date, date, nil])
            #expect(updates(store).last?.contains("(t1.\"plate\" - $1::text)") == true, "\(updates(store))")
            let keys = try await store.database.texts(
                "SELECT plate::text FROM vehicle WHERE name IN ('r0', 'v0') ORDER BY name")
            #expect(
                keys == [
                    #"{"number": 4, "country": "it's \"F\""}"#,
                    #"{"since": 1700000000.25, "number": 2, "country": "it's \"F\""}"#,
                ])
        }
    }

    @Test func `parts are refused where it is not known how they stand there`() async throws {
        try await withModelStore(Crate.self) { store in
            let context = ModelContext(store.container)
            context.insert(Crate())
            try await context.save()
            store.recorder.reset()
            let deep = #expect(throws: SwiftDataError.self) {
                try context.update(model: Crate.self, .set(\.content.lid.size, to: 3))
            }
            #expect(deep?.code == .unsupportedKeyPath)
            #expect(deep?.message.contains("lies within another part") == true, "\(deep?.message ?? "")")
            let unknown = #expect(throws: SwiftDataError.self) {
                try context.update(model: Crate.self, .set(\.content.mark, to: nil))
            }
            #expect(unknown?.code == .unsupportedKeyPath)
            #expect(unknown?.message.contains("how its type writes nil") == true, "\(unknown?.message ?? "")")
            #expect(store.recorder.roundTrips == 0)
            try context.update(
                model: Crate.self, .set(\.content.mark, to: "m"), .set(\.content.lid, to: .init(size: 4)))
            try await context.save()
            let crate = try #require(try await ModelContext(store.container).fetch(FetchDescriptor<Crate>()).first)
            #expect(crate.content.mark == "m" && crate.content.lid.size == 4)
            try context.update(model: Crate.self, .set(\.content.tag, to: nil))
            try await context.save()
            let tags = try await store.database.texts("SELECT (content -> 'tag')::text FROM crate")
            #expect(tags == ["null"])
            let again = try #require(try await ModelContext(store.container).fetch(FetchDescriptor<Crate>()).first)
            #expect(again.content.tag == nil && again.content.mark == "m")
        }
    }

    @Test func `tables of a hierarchy are updated together`() async throws {
        try await withVehicles { store, context in
            let update = try context.update(
                model: Car.self, where: #Predicate { $0.garage?.name == "north" || $0.name == "c1" },
                reportsIdentifiers: true, .set(\.name, to: "fast"), .add(1, to: \.doors))
            try await context.save()
            #expect(
                updates(store) == [
                    """
                    WITH matched(pk, class, v0, v1) AS (SELECT t0."pk", t1."class", $1::text, t0."doors" + $2::bigint FROM "public"."car" AS t0 \
                    JOIN "public"."vehicle" AS t1 ON t1."pk" = t0."pk" LEFT JOIN "public"."garage" AS t2 ON t2."pk" = t1."garage" \
                    WHERE (t2."name" = $3::text OR t1."name" = $4::text) FOR NO KEY UPDATE OF t0, t1), \
                    updated0 AS (UPDATE "public"."vehicle" AS u SET "name" = m.v0 FROM matched AS m WHERE u."pk" = m.pk), \
                    updated1 AS (UPDATE "public"."car" AS u SET "doors" = m.v1 FROM matched AS m WHERE u."pk" = m.pk) \
                    SELECT count(*), coalesce(array_agg(pk), '{}'), coalesce(array_agg(class), '{}') FROM matched
                    """
                ])
            #expect(update.count == 2)
            let fast = try await context.fetch(
                FetchDescriptor<Car>(predicate: #Predicate { $0.name == "fast" }, sortBy: [SortDescriptor(\.doors)]))
            #expect(fast.map(\.doors) == [3, 4])
            #expect(Set(update.identifiers ?? []) == Set(fast.map(\.persistentModelID)))
            #expect(Set(update.identifiers?.map(\.entityName) ?? []) == ["Car", "Racer"])
        }
    }

    @Test func `without subclasses only objects of the class itself are changed`() async throws {
        try await withVehicles { store, context in
            let update = try context.update(model: Car.self, includeSubclasses: false, .set(\.wheels, to: 0))
            try await context.save()
            #expect(update.count == 3)
            #expect(try await stored(store, \.name, #Predicate { $0.wheels == 0 }) == ["c0", "c1", "c2"])
        }
    }

    @Test func `every kind of value`() async throws {
        try await withVehicles { store, context in
            let day = Date(timeIntervalSince1970: 86_400.25)
            try context.update(
                model: Vehicle.self, where: #Predicate { $0.name == "v0" }, .set(\.kind, to: .rail),
                .set(\.plate, to: Vehicle.Plate(country: "FR", number: 7)), .set(\.tags, to: ["a", "b"]),
                .set(\.built, to: day), .set(\.discount, from: \.price), .set(\.note, from: \.name),
                .set(\.wheels, to: #Expression<Vehicle, Int> { $0.wheels * 2 + 1 }), .subtract(0.5, from: \.weight),
                .add(2, to: \.load), .set(\.garage, to: nil))
            try context.update(model: Vehicle.self, where: #Predicate { $0.name == "v1" }, .add(1, to: \.discount))
            try await context.save()
            let vehicles = try await ModelContext(store.container).fetch(
                FetchDescriptor<Vehicle>(
                    predicate: #Predicate { $0.name == "v0" || $0.name == "v1" }, sortBy: [SortDescriptor(\.name)]))
            let first = vehicles[0]
            #expect(first.kind == .rail)
            #expect(first.plate == Vehicle.Plate(country: "FR", number: 7))
            #expect(first.tags == ["a", "b"])
            #expect(first.built == day)
            #expect(first.discount == 10)
            #expect(first.note == "v0")
            #expect(first.wheels == 5)
            #expect(first.weight == 1)
            #expect(first.load == 3)
            #expect(first.garage == nil)
            #expect(vehicles[1].discount == nil)
        }
    }

    @Test func `values look at the object as it was`() async throws {
        try await withVehicles { store, context in
            try context.update(
                model: Vehicle.self, where: #Predicate { $0.name == "v0" }, .set(\.name, to: "new"),
                .set(\.note, from: \.name))
            let unsaved = Vehicle("v0")
            context.insert(unsaved)
            try context.update(
                model: Vehicle.self, where: #Predicate { $0.name == "v0" }, .set(\.name, to: "new"),
                .set(\.note, from: \.name))
            #expect(unsaved.name == "new")
            #expect(unsaved.note == "v0")
            try await context.save()
            #expect(try await stored(store, \.note, #Predicate { $0.name == "new" }) == ["v0", "v0"])
        }
    }

    // MARK: Relationships

    @Test func `a relationship is set by object and by identifier, and both ends know it`() async throws {
        try await withVehicles { store, context in
            let garages = try await context.fetch(FetchDescriptor<Garage>(sortBy: [SortDescriptor(\.name)]))
            let (north, south) = (garages[0], garages[1])
            #expect(north.vehicles.count == 4)
            #expect(south.vehicles.isEmpty)
            let racer = try #require(try await context.fetch(FetchDescriptor<Racer>()).first)
            try context.update(
                model: Vehicle.self, where: #Predicate { $0.garage?.name == "north" }, .set(\.garage, to: south))
            try await context.save()
            #expect(north.vehicles.isEmpty)
            #expect(south.vehicles.count == 4)
            #expect(racer.garage === south)
            try context.update(
                model: Vehicle.self, where: #Predicate { $0.wheels == 2 }, .set(\.garage, to: north.persistentModelID))
            try await context.save()
            #expect(north.vehicles.map(\.name) == ["v0"])
            #expect(south.vehicles.count == 3)
        }
    }

    @Test func `a relationship to an object without a row is refused, or to none by now`() async throws {
        try await withVehicles { store, context in
            let new = Garage("new")
            context.insert(new)
            var error = #expect(throws: SwiftDataError.self) {
                try context.update(model: Vehicle.self, .set(\.garage, to: new))
            }
            #expect(error?.code == .unsupportedFeature)
            #expect(error?.message.contains("a Garage that is not saved") == true)
            let vehicle = try #require(try await context.fetch(FetchDescriptor<Vehicle>()).first)
            error = #expect(throws: SwiftDataError.self) {
                try context.update(model: Vehicle.self, .set(\.garage, to: vehicle.persistentModelID))
            }
            #expect(error?.code == .invalidIdentifier)
            context.rollback()
            let south = try #require(
                try await context.fetch(FetchDescriptor<Garage>(predicate: #Predicate { $0.name == "south" })).first)
            let other = ModelContext(store.container)
            try other.delete(model: Garage.self, where: #Predicate { $0.name == "south" })
            try await other.save()
            try context.update(model: Vehicle.self, .set(\.garage, to: south))
            error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .modelNotFound)
            #expect(
                error?.message.hasPrefix("An update of Vehicle by predicate, which sets Vehicle.garage, was refused")
                    == true)
        }
    }

    @Test func `an edited object does not show what earlier changes do to others`() async throws {
        try await withVehicles { store, context in
            let vehicle = try #require(try await context.fetch(FetchDescriptor<Racer>()).first)
            vehicle.note = "edited"
            let inSouth = #Predicate<Vehicle> { $0.garage?.name == "south-2" }
            try context.update(model: Garage.self, .set(\.name, to: "south-2"))
            let renamed = #expect(throws: SwiftDataError.self) {
                try context.update(model: Vehicle.self, where: inSouth, .set(\.wheels, to: 9))
            }
            #expect(renamed?.message.contains("looks at Garage.name, which an earlier one sets") == true)
            try await context.save()
            vehicle.note = "again"
            try context.delete(model: Garage.self)
            let gone = #expect(throws: SwiftDataError.self) {
                try context.update(model: Vehicle.self, where: inSouth, .set(\.wheels, to: 9))
            }
            #expect(
                gone?.message.contains("looks at objects of Garage, of which an earlier deletion takes some") == true)
            context.rollback()
            try context.update(model: Racer.self, .set(\.power, to: 3))
            vehicle.note = "once more"
            let deep = #expect(throws: SwiftDataError.self) {
                try context.update(
                    model: Vehicle.self, where: #Predicate { ($0 as? Racer)?.power == 3 }, .set(\.wheels, to: 9))
            }
            #expect(deep?.message.contains("looks at Racer.power, which an earlier one sets") == true)
        }
    }

    @Test func `a row that is only read, of a class above, is waited for too`() async throws {
        try await withVehicles { store, _ in
            let (isHeld, mayEnd) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
            async let holding: Void = store.container.withContext(isolation: .readCommitted) { holder in
                try await holder.execute("UPDATE \(table: Vehicle.self) SET \(column: \Vehicle.wheels) = \(77)")
                isHeld.continuation.finish()
                for await _ in mayEnd.stream {}
            }
            for await _ in isHeld.stream {}
            async let updating: Void = store.container.withContext { context in
                try context.update(model: Car.self, .set(\.doors, from: \.wheels))
            }
            try await waitUntil { try await store.isWaitingForLock() }
            mayEnd.continuation.finish()
            try await holding
            try await updating
            let doors = try await ModelContext(store.container).fetch(FetchDescriptor<Car>(), selecting: \.doors)
            #expect(!doors.isEmpty && doors.allSatisfy { $0 == 77 })
        }
    }

    @Test func `a row of a subclass that decides is waited for, and asked again`() async throws {
        try await withModelStore(Vehicle.self, Car.self, Racer.self, Garage.self) { store in
            let context = ModelContext(store.container)
            for number in 1...3 { context.insert(Racer("r\(number)", power: number)) }
            context.insert(Vehicle("v"))
            try await context.save()
            let (isHeld, mayEnd) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
            async let holding: Void = store.container.withContext(isolation: .readCommitted) { holder in
                try await holder.execute(
                    "UPDATE \(table: Racer.self) SET \(column: \Racer.power) = 0 WHERE \(\Racer.power) = 2")
                isHeld.continuation.finish()
                for await _ in mayEnd.stream {}
            }
            for await _ in isHeld.stream {}
            async let count = store.container.withContext { context in
                let update = try context.update(
                    model: Vehicle.self, where: #Predicate { ($0 as? Racer)?.power ?? 0 > 1 }, .set(\.wheels, to: 9))
                store.recorder.reset()
                try await context.save()
                return update.count
            }
            try await waitUntil { try await store.isWaitingForLock() }
            mayEnd.continuation.finish()
            try await holding
            // The second is not meant any more.
            #expect(try await count == 1)
            let named = try await ModelContext(store.container).fetch(
                FetchDescriptor<Vehicle>(predicate: #Predicate { $0.wheels == 9 }), selecting: \.name)
            #expect(named == ["r3"])
            #expect(
                store.recorder.statements.contains {
                    $0.hasPrefix("WITH locked AS (SELECT FROM \"public\".\"racer\" AS s WHERE s.\"pk\" IN (SELECT ")
                })
        }
    }

    @Test func `an undo takes an update back from no object`() async throws {
        try await withModelStore(Vehicle.self, Car.self, Racer.self, Garage.self) { store in
            let context = ModelContext(store.container)
            let manager = ModelUndoManager()
            let (edited, untouched) = (Vehicle("edited"), Vehicle("untouched"))
            context.insert(edited)
            context.insert(untouched)
            try await context.save()
            context.undoManager = manager
            edited.name = "renamed"
            edited.weight = 7
            context.processPendingChanges()
            try context.update(model: Vehicle.self, .set(\.wheels, to: 6), .set(\.weight, to: 8))
            #expect(edited.wheels == 6 && edited.weight == 8)
            #expect(manager.undoCount == 1)
            manager.undo()
            // What was edited is as before the edit, which is an edit that follows the update.
            #expect(edited.name == "edited" && edited.weight == 1.5)
            #expect(edited.wheels == 6)
            try await context.save()
            let rows = try await ModelContext(store.container).fetch(
                FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]), selecting: \.name, \.wheels, \.weight)
            #expect(rows.map(\.0) == ["edited", "untouched"])
            #expect(rows.map(\.1) == [6, 6])
            #expect(rows.map(\.2) == [1.5, 8])
        }
    }

    @Test(arguments: [true, false])
    func `what an update has moved away from a deleted object stays`(isInMemory: Bool) async throws {
        try await withModelStore(Depot.self, Wagon.self) { store in
            let context = ModelContext(store.container)
            let (north, south) = (Depot("north"), Depot("south"))
            for depot in [north, south] {
                context.insert(depot)
                for number in 0..<2 { context.insert(Wagon("\(depot.name) \(number)", number: number, in: depot)) }
            }
            try await context.save()
            let fresh = ModelContext(store.container)
            let depots = try await fresh.fetch(FetchDescriptor<Depot>(sortBy: [SortDescriptor(\.name)]))
            let wagons =
                isInMemory ? try await fresh.fetch(FetchDescriptor<Wagon>(sortBy: [SortDescriptor(\.name)])) : []
            fresh.delete(depots[0])
            let update = try fresh.update(
                model: Wagon.self, where: #Predicate { $0.number == 1 }, .set(\.depot, to: depots[1]))
            #expect(try await fresh.fetchCount(FetchDescriptor<Wagon>()) >= 3)
            try await fresh.save()
            #expect(update.count == 2)
            let left = try await ModelContext(store.container).fetch(
                FetchDescriptor<Wagon>(sortBy: [SortDescriptor(\.name)]), selecting: \.name, \.depot?.name)
            #expect(left.map(\.0) == ["north 1", "south 0", "south 1"])
            #expect(left.map(\.1) == ["south", "south", "south"])
            guard isInMemory else { return }
            #expect(wagons.map { $0.modelContext == nil } == [true, false, false, false])
            #expect(wagons[1].depot === depots[1])
        }
    }

    @Test func `what an update has moved to a deleted object goes along`() async throws {
        try await withModelStore(Depot.self, Wagon.self) { store in
            let context = ModelContext(store.container)
            let (north, south) = (Depot("north"), Depot("south"))
            let wagon = Wagon("w", number: 1, in: south)
            for depot in [north, south] { context.insert(depot) }
            context.insert(wagon)
            try await context.save()
            try context.update(model: Wagon.self, .set(\.depot, to: north))
            context.delete(north)
            try await context.save()
            #expect(wagon.modelContext == nil)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Wagon>()) == 0)
            #expect(south.wagons.isEmpty)
        }
    }

    @Test func `an update of a relationship and deletions of others are one save`() async throws {
        try await withVehicles { store, context in
            let garages = try await context.fetch(FetchDescriptor<Garage>(sortBy: [SortDescriptor(\.name)]))
            let lockers = try await context.fetch(FetchDescriptor<Locker>())
            let vehicle = try #require(
                try await context.fetch(FetchDescriptor<Vehicle>(predicate: #Predicate { $0.name == "v0" })).first)
            vehicle.note = "edited"
            try context.update(model: Vehicle.self, .set(\.garage, to: garages[1]))
            context.delete(lockers[0])
            try await context.save()
            #expect(Set(try await stored(store, \.garage?.name)) == ["south"])
            // The garage that all have left goes; nothing of it was known to lead elsewhere.
            try context.update(model: Vehicle.self, .set(\.garage, to: garages[0]))
            context.delete(garages[1])
            try await context.save()
            #expect(Set(try await stored(store, \.garage?.name)) == ["north"])
            #expect(vehicle.garage === garages[0])
        }
    }

    @Test func `a relationship is not set where delete rules would have to know more`() async throws {
        try await withModelStore(Depot.self, Wagon.self) { store in
            let context = ModelContext(store.container)
            let (north, south) = (Depot("north"), Depot("south"))
            let wagon = Wagon("w", number: 1, in: north)
            for depot in [north, south] { context.insert(depot) }
            context.insert(wagon)
            try await context.save()
            try context.update(model: Wagon.self, .set(\.depot, to: south))
            wagon.number = 2
            context.delete(north)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .unsupportedFeature)
            #expect(
                error?.message == """
                    Nothing was saved: an update by predicate sets Wagon.depot, Depot objects are deleted, and 1 Wagon object with other \
                    unsaved changes may lead to one of them. Save one before the other (within a transaction that commits nothing), or \
                    call rollback().
                    """)
            #expect(error?.identifiers == [wagon.persistentModelID])
            context.rollback()
            #expect(try await context.fetchCount(FetchDescriptor<Depot>()) == 2)
        }
    }

    @Test func `a relationship whose other end has an order is refused`() async throws {
        try await withModelStore(Queue.self, Ticket.self) { store in
            let context = ModelContext(store.container)
            let queue = Queue("q")
            context.insert(queue)
            try await context.save()
            let error = #expect(throws: SwiftDataError.self) {
                try context.update(model: Ticket.self, .set(\.queue, to: queue))
            }
            #expect(error?.code == .unsupportedFeature)
            #expect(error?.message.contains("Queue.tickets has an order") == true)
            #expect(!context.hasChanges)
        }
    }

    // MARK: Objects in memory

    @Test func `an object in memory reads what was set, and keeps what was edited`() async throws {
        try await withVehicles { store, context in
            let vehicles = try await context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]))
            let (c0, v0, v1) = (vehicles[0], vehicles[4], vehicles[5])
            v0.note = "mine"
            let update = try context.update(
                model: Vehicle.self, where: #Predicate { $0.name != "r0" }, reportsIdentifiers: true,
                .set(\.note, to: "all"), .add(1, to: \.wheels))
            // The object had unsaved changes: it is changed at once.
            #expect(v0.note == "all")
            #expect(v0.wheels == 3)
            // The others are changed by the server.
            #expect(c0.note == nil)
            c0.note = "later"
            c0.name = "C0"
            try await context.save()
            #expect(update.count == 6)
            #expect(Set(update.identifiers ?? []) == Set(vehicles.filter { $0.name != "r0" }.map(\.persistentModelID)))
            #expect(v1.note == "all")
            #expect(v1.wheels == 4)
            #expect(c0.note == "later")
            #expect(c0.wheels == 5)
            let read = try await stored(store, \.note)
            #expect(read == ["later", "all", "all", nil, "all", "all", "all"])
            #expect(try await stored(store, \.wheels) == [5, 5, 5, 4, 3, 4, 5])
            // Nothing is in conflict afterwards.
            v1.note = "again"
            v0.wheels += 1
            try await context.save()
            #expect(try await stored(store, \.wheels) == [5, 5, 5, 4, 4, 4, 5])
        }
    }

    @Test func `an edit after the update wins, and others are still noticed`() async throws {
        try await withVehicles { store, context in
            let cars = try await context.fetch(FetchDescriptor<Car>(sortBy: [SortDescriptor(\.name)]))
            try await store.database.execute("UPDATE vehicle SET wheels = 40 WHERE name = 'c0'")
            try context.update(model: Car.self, where: #Predicate { $0.doors == 2 }, .set(\.wheels, to: 6))
            cars[0].wheels = 7
            try await context.save()
            #expect(try await stored(store, \.wheels, #Predicate { $0.name == "c0" }) == [7])
            try await store.database.execute("UPDATE vehicle SET wheels = 40 WHERE name = 'c1'")
            try context.update(model: Car.self, where: #Predicate { $0.doors == 2 }, .set(\.wheels, to: 6))
            cars[1].wheels = 7
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .conflict)
            #expect(try await stored(store, \.wheels, #Predicate { $0.name == "c0" }) == [7])
        }
    }

    @Test func `only the objects in memory are asked for`() async throws {
        try await withVehicles { store, context in
            let racer = try #require(try await context.fetch(FetchDescriptor<Racer>()).first)
            store.recorder.reset()
            let update = try context.update(model: Vehicle.self, .set(\.wheels, to: 1))
            try await context.save()
            #expect(
                updates(store) == [
                    #"WITH updated(pk) AS (UPDATE "public"."vehicle" AS t0 SET "wheels" = $1::bigint RETURNING t0."pk") SELECT count(*), coalesce(array_agg(pk) FILTER (WHERE (pk = ANY ($2::bigint[]))), '{}') FROM updated"#
                ])
            #expect(update.count == 7)
            #expect(racer.wheels == 1)
        }
    }

    @Test func `new objects and changed ones are looked at as they are`() async throws {
        try await withVehicles { store, context in
            let cars = try await context.fetch(FetchDescriptor<Car>(sortBy: [SortDescriptor(\.name)]))
            cars[0].doors = 9
            cars[1].doors = 0
            context.delete(cars[2])
            let new = Racer("r1", power: 1)
            new.doors = 9
            context.insert(new)
            let update = try context.update(
                model: Car.self, where: #Predicate { $0.doors == 9 || $0.doors == 3 }, .set(\.note, to: "hit"))
            #expect(cars[0].note == "hit")
            #expect(new.note == "hit")
            try await context.save()
            // The second had three doors, and has none now.
            #expect(update.count == 2)
            #expect(try await stored(store, \.name, #Predicate { $0.note == "hit" }) == ["c0", "r1"])
        }
    }

    @Test func `fetches before the save find what is set`() async throws {
        try await withVehicles { store, context in
            let racer = try #require(try await context.fetch(FetchDescriptor<Racer>()).first)
            try context.update(
                model: Car.self, where: #Predicate { $0.doors < 4 }, .add(10, to: \.doors), .set(\.wheels, to: 3))
            try context.update(model: Vehicle.self, where: #Predicate { $0.wheels == 3 }, .set(\.note, to: "three"))
            try context.delete(model: Vehicle.self, where: #Predicate { $0.note == "three" && $0.name == "v1" })
            #expect(try await context.fetchCount(FetchDescriptor<Car>(predicate: #Predicate { $0.doors > 10 })) == 3)
            let found = try await context.fetch(
                FetchDescriptor<Vehicle>(predicate: #Predicate { $0.note == "three" }, sortBy: [SortDescriptor(\.name)])
            )
            #expect(found.map(\.name) == ["c0", "c1", "r0"])
            #expect(found.last === racer)
            let shown = try await context.fetch(
                FetchDescriptor<Car>(sortBy: [SortDescriptor(\.name)]), selecting: \.name, \.doors, \.wheels)
            #expect(shown.map { $0.1 } == [12, 13, 4, 12])
            #expect(shown.map { $0.2 } == [3, 3, 4, 3])
            var without = FetchDescriptor<Car>(predicate: #Predicate { $0.doors > 10 })
            without.includePendingChanges = false
            #expect(try await context.fetchCount(without) == 0)
            try await context.save()
            #expect(racer.doors == 12)
            #expect(racer.note == "three")
            #expect(try await stored(store, \.name, #Predicate { $0.note == "three" }) == ["c0", "c1", "r0"])
            #expect(try await stored(store, \.name).contains("v1") == false)
        }
    }

    @Test func `unsaved changes of other objects that decide are refused`() async throws {
        try await withVehicles { store, context in
            let garages = try await context.fetch(FetchDescriptor<Garage>(sortBy: [SortDescriptor(\.name)]))
            let predicate = #Predicate<Vehicle> { $0.garage?.name == "north" }
            context.insert(Garage("east"))
            try context.update(model: Vehicle.self, where: predicate, .set(\.wheels, to: 8))
            garages[1].name = "north"
            let error = #expect(throws: SwiftDataError.self) {
                try context.update(model: Vehicle.self, where: predicate, .set(\.wheels, to: 9))
            }
            #expect(error?.code == .unsupportedFeature)
            #expect(
                error?.message
                    == "An update of Vehicle by predicate looks at other objects, and this context has unsaved changes of them (Garage.name), which the server does not know yet. Call save() first (within a transaction that commits nothing)."
            )
            try await context.save()
            #expect(try await stored(store, \.wheels, predicate) == [8, 8, 8, 8])
        }
    }

    @Test func `an object that was edited between two updates is not looked at in memory`() async throws {
        try await withVehicles { store, context in
            let racer = try #require(try await context.fetch(FetchDescriptor<Racer>()).first)
            try context.update(model: Vehicle.self, .set(\.wheels, to: 8))
            racer.note = "edited"
            // Looks at nothing that the other sets.
            try context.update(model: Car.self, where: #Predicate { $0.note == "edited" }, .set(\.tags, to: []))
            let error = #expect(throws: SwiftDataError.self) {
                try context.update(model: Car.self, where: #Predicate { $0.wheels == 8 }, .set(\.note, to: "eight"))
            }
            #expect(error?.code == .unsupportedFeature)
            #expect(
                error?.message.contains("looks at Vehicle.wheels, which an earlier one sets that is not saved") == true)
            try await context.save()
            try context.update(model: Car.self, where: #Predicate { $0.wheels == 8 }, .set(\.note, to: "eight"))
            try await context.save()
            #expect(racer.note == "eight")
            #expect(racer.tags == [])
        }
    }

    // MARK: Taking back

    @Test func `a rollback takes it back, and so does a transaction that fails`() async throws {
        try await withVehicles { store, context in
            let racer = try #require(try await context.fetch(FetchDescriptor<Racer>()).first)
            try context.update(model: Vehicle.self, .set(\.wheels, to: 99))
            context.rollback()
            #expect(!context.hasChanges)
            struct Stopped: Error {}
            await #expect(throws: Stopped.self) {
                try await context.transaction {
                    try context.update(model: Vehicle.self, .set(\.wheels, to: 99))
                    try await context.save()
                    // Read within the transaction.
                    #expect(racer.wheels == 99)
                    throw Stopped()
                }
            }
            #expect(racer.wheels == 4)
            #expect(!context.hasChanges)
            #expect(try await stored(store, \.wheels).contains(99) == false)
            try await context.transaction {
                _ = try context.update(model: Vehicle.self, .set(\.wheels, to: 98))
            }
            #expect(racer.wheels == 98)
        }
    }

    @Test func `a save that fails keeps it`() async throws {
        try await withVehicles { store, context in
            let update = try context.update(model: Locker.self, .set(\.label, to: "x"))
            try context.update(model: Locker.self, where: #Predicate { $0.number > 0 }, .set(\.number, to: 7))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(
                error?.message
                    == "An update of Locker by predicate, which sets Locker.number, was refused: several objects would have the same unique value. Set a value that differs, or name fewer objects."
            )
            #expect((error?.underlying as? PostgresError)?.sqlState == "23505")
            #expect(update.count == nil)
            #expect(context.hasChanges)
            // As it would be.
            #expect(
                try await context.fetchCount(FetchDescriptor<Locker>(predicate: #Predicate { $0.number == 7 })) == 2)
            context.rollback()
            let one = try #require(
                try await context.fetch(FetchDescriptor<Locker>(predicate: #Predicate { $0.number == 2 })).first)
            try context.update(model: Locker.self, where: #Predicate { $0.number == 2 }, .set(\.number, to: 7))
            try await context.save()
            #expect(one.number == 7)
        }
    }

    @Test func `a new object takes over the row that has its unique value after the update`() async throws {
        try await withVehicles { store, context in
            let two = try #require(
                try await context.fetch(FetchDescriptor<Locker>(predicate: #Predicate { $0.number == 2 })).first)
            try context.update(model: Locker.self, where: #Predicate { $0.number == 2 }, .set(\.number, to: 7))
            context.insert(Locker(7, "new"))
            try await context.save()
            let lockers = try await ModelContext(store.container).fetch(
                FetchDescriptor<Locker>(sortBy: [SortDescriptor(\.number)]))
            #expect(lockers.map(\.number) == [0, 1, 7])
            #expect(lockers[2].label == "new")
            #expect(lockers[2].persistentModelID == two.persistentModelID)
        }
    }

    @Test func `what does not fit is refused by server and memory`() async throws {
        try await withVehicles { store, context in
            try context.update(model: Vehicle.self, .add(Int16.max, to: \.load))
            var error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue)
            #expect((error?.underlying as? PostgresError)?.sqlState == "22003")
            context.rollback()
            try context.update(model: Locker.self, .add(255, to: \.size))
            error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue)
            context.rollback()
            let new = Vehicle("new")
            context.insert(new)
            error = #expect(throws: SwiftDataError.self) {
                try context.update(model: Vehicle.self, .set(\.note, to: "set"), .add(Int16.max, to: \.load))
            }
            #expect(error?.code == .invalidValue)
            #expect(new.note == nil)
            #expect(new.load == 1)
        }
    }

    @Test func `refusals say what to do`() async throws {
        try await withVehicles { store, context in
            func refusal(_ body: () throws -> Void) -> SwiftDataError? {
                #expect(throws: SwiftDataError.self) { try body() }
            }
            let twice = refusal {
                try context.update(model: Vehicle.self, .set(\.wheels, to: 1), .add(1, to: \.wheels))
            }
            #expect(
                twice?.message
                    == "An update of Vehicle by predicate sets Vehicle.wheels twice. Name each property once.")
            let part = refusal { try context.update(model: Vehicle.self, .add(1, to: \.plate.number)) }
            #expect(part?.code == .unsupportedKeyPath)
            #expect(
                part?.message
                    == "Vehicle.plate.number is a part of a Codable value, which an update by predicate sets to a value, and to nothing that is "
                    + "computed or read elsewhere. Fetch the objects and change them.")
            let both = refusal {
                try context.update(
                    model: Vehicle.self, .set(\.plate.number, to: 1),
                    .set(\.plate, to: Vehicle.Plate(country: "FR", number: 7)))
            }
            #expect(
                both?.message
                    == "An update of Vehicle by predicate sets Vehicle.plate twice. Name each property once.")
            let same = refusal {
                try context.update(
                    model: Vehicle.self, .set(\.plate.number, to: 1), .set(\.plate.number, to: 2))
            }
            #expect(same?.code == .unsupportedFeature)
            let zero = refusal { try context.update(model: Vehicle.self, .set(\.plate.country, to: "a\u{0}")) }
            #expect(zero?.code == .invalidValue)
            #expect(zero?.message.hasPrefix("Vehicle.plate.country was to get a value that cannot be stored") == true)
            let many = refusal { try context.update(model: Garage.self, .set(\.vehicles, to: [])) }
            #expect(many?.code == .unsupportedKeyPath)
            #expect(many?.message.hasPrefix("Garage.vehicles cannot be set by an update by predicate") == true)
            let predicate = refusal {
                try context.update(model: Vehicle.self, where: #Predicate { $0.name.count == 3 }, .set(\.wheels, to: 1))
            }
            #expect(predicate?.code == .unsupportedPredicate)
            #expect(!context.hasChanges)
            #expect(store.recorder.roundTrips == 0)
        }
    }

    // MARK: Beside others

    @Test func `an update waits for another transaction and adds to what that wrote`() async throws {
        try await withVehicles { store, context in
            let container = store.container
            var waiting: Task<Void, any Error>?
            try await context.transaction {
                try context.update(model: Car.self, .add(1, to: \.doors), .add(1, to: \.wheels))
                try await context.save()
                waiting = Task {
                    let other = ModelContext(container)
                    try other.update(model: Vehicle.self, where: #Predicate { $0.wheels >= 4 }, .add(1, to: \.wheels))
                    try other.update(model: Car.self, .add(1, to: \.doors), .add(1, to: \.wheels))
                    try await other.save()
                }
                while try await store.database.texts(
                    "SELECT pid::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                ).isEmpty { await Task.yield() }
            }
            try await waiting?.value
            #expect(try await stored(store, \.wheels) == [7, 7, 7, 7, 2, 3, 5])
            let doors = try await ModelContext(store.container).fetch(
                FetchDescriptor<Car>(sortBy: [SortDescriptor(\.name)]), selecting: \.doors)
            #expect(doors == [4, 5, 6, 4])
        }
    }

    @Test func `blocking saves carry it out too`() async throws {
        try await withVehicles { store, context in
            let update = try context.update(model: Vehicle.self, .set(\.wheels, to: 1))
            try { try context.save() }()
            #expect(update.count == 7)
        }
    }

    @Test func `live results show it`() async throws {
        try await withVehicles { store, context in
            let container = store.container
            var results = container.results(
                of: FetchDescriptor<Vehicle>(predicate: #Predicate { $0.wheels == 77 })
            ).makeAsyncIterator()
            #expect(try await results.next()?.count == 0)
            try context.update(model: Vehicle.self, .set(\.wheels, to: 77))
            try await context.save()
            #expect(try await results.next()?.count == 7)
        }
    }
}
