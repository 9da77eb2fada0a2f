import Foundation
import Strata
import StrataModelTestSupport
import Testing

/// Objects that are rows of a view.
@Suite struct ViewTests {
    private func withPorts(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self, PortStatistics.self) { store in
            let context = ModelContext(store.container)
            for (number, port) in ["Kiel", "Kiel", "Bergen", "Oslo", "Bergen", "Kiel"].enumerated() {
                context.insert(
                    Voyage("v\(number)", port, day: number, price: Decimal(number), mood: number == 5 ? .wild : .calm))
            }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    @Test func `rows of a view are objects`() async throws {
        try await withPorts { store, context in
            let ports = try await context.fetch(FetchDescriptor<PortStatistics>(sortBy: [SortDescriptor(\.port)]))
            #expect(ports.map(\.port) == ["Bergen", "Kiel", "Oslo"])
            #expect(ports.map(\.voyages) == [2, 2, 1])
            #expect(ports.map(\.earned) == [6, 1, 3])
            #expect(
                store.recorder.flushes == [
                    [
                        """
                        SELECT t0."pk", t0."port", t0."voyages", t0."earned", t0."first_start", t0."first_voyage" \
                        FROM "public"."port_statistics" AS t0 ORDER BY t0."port" COLLATE "C" ASC, t0."pk"
                        """
                    ]
                ])
            // The same object for the same key.
            let kiel = try #require(ports.first { $0.port == "Kiel" })
            let again = try await context.fetch(
                FetchDescriptor<PortStatistics>(predicate: #Predicate { $0.port == "Kiel" }))
            #expect(again.first === kiel)
            let known: PortStatistics? = context.registeredModel(for: kiel.persistentModelID)
            #expect(known === kiel)
        }
    }

    @Test func `rows are not inserted into a view`() async throws {
        try await withPorts { store, context in
            await #expect {
                try await context.insert(into: PortStatistics.self, \.port, rows: ["Rome"])
            } throws: {
                ($0 as? SwiftDataError)?.message == """
                    Objects of PortStatistics cannot be inserted: they are rows of a view (DatabaseView). Change the objects of the \
                    classes that it reads.
                    """
            }
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `predicates, sorts, counts and values go through a view, and from it to other classes`() async throws {
        try await withPorts { store, context in
            var descriptor = FetchDescriptor<PortStatistics>(
                predicate: #Predicate { $0.voyages > 1 && $0.firstVoyage?.name != "v9" },
                sortBy: [SortDescriptor(\.firstVoyage?.startDate, order: .reverse)])
            descriptor.relationshipKeyPathsForPrefetching = [\.firstVoyage]
            let ports = try await context.fetch(descriptor)
            #expect(ports.map(\.port) == ["Bergen", "Kiel"])
            #expect(ports.map { $0.firstVoyage?.name } == ["v2", "v0"])
            #expect(store.recorder.roundTrips == 2)
            #expect(try await context.fetchCount(descriptor) == 2)
            #expect(try await context.fetchSum(FetchDescriptor<PortStatistics>(), of: \.voyages) == 5)
            let pairs = try await context.fetch(
                FetchDescriptor<PortStatistics>(sortBy: [SortDescriptor(\.voyages), SortDescriptor(\.port)]),
                selecting: \.port, \.voyages)
            #expect(pairs.map(\.0) == ["Oslo", "Bergen", "Kiel"])
            let names = try await context.fetch(
                String.self,
                sql: """
                    SELECT \(\Voyage.name) FROM \(Voyage.self) JOIN \(PortStatistics.self) \
                    ON \(\PortStatistics.firstVoyage) = \(\Voyage.persistentModelID) ORDER BY 1
                    """)
            #expect(names == ["v0", "v2", "v3"])
            // Lazily, by the key that the view holds.
            let fresh = ModelContext(store.container)
            let oslo = try await fresh.fetch(
                FetchDescriptor<PortStatistics>(predicate: #Predicate { $0.port == "Oslo" }))
            #expect(oslo.first?.firstVoyage?.name == "v3")
        }
    }

    @Test func `a view shows what is saved`() async throws {
        try await withPorts { _, context in
            let voyages = try await context.fetch(
                FetchDescriptor<Voyage>(predicate: #Predicate { $0.homePort == "Oslo" }))
            let oslo = try #require(voyages.first)
            context.delete(oslo)
            let refusal = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<PortStatistics>())
            }
            #expect(refusal?.code == .unsupportedFeature)
            var stored = FetchDescriptor<PortStatistics>()
            stored.includePendingChanges = false
            #expect(try await context.fetchCount(stored) == 3)
            try await context.save()
            #expect(try await context.fetchCount(FetchDescriptor<PortStatistics>()) == 2)
        }
    }

    @Test func `nothing of a view is written`() async throws {
        try await withPorts { store, context in
            func refusal(_ work: () async throws -> Void) async -> String {
                let error = await #expect(throws: SwiftDataError.self) { try await work() }
                #expect(error?.code == .unsupportedFeature)
                return error?.message ?? ""
            }
            let kiel = try #require(
                try await context.fetch(FetchDescriptor<PortStatistics>(predicate: #Predicate { $0.port == "Kiel" }))
                    .first)
            kiel.voyages = 7
            store.recorder.reset()
            #expect(
                await refusal { try await context.save() } == """
                    Nothing was saved: PortStatistics.voyages was changed, and objects of PortStatistics are rows of a view \
                    (DatabaseView). Change the objects of the classes that it reads, and call rollback().
                    """)
            context.rollback()
            #expect(kiel.voyages == 2)
            context.delete(kiel)
            let deleting = "Objects of PortStatistics cannot be deleted: they are rows of a view (DatabaseView)."
            #expect(await refusal { try await context.save() }.hasPrefix(deleting))
            context.rollback()
            #expect(await refusal { try context.delete(model: PortStatistics.self) }.hasPrefix(deleting))
            #expect(
                await refusal { try context.update(model: PortStatistics.self, .set(\.voyages, to: 1)) }
                    .contains("cannot be updated"))
            #expect(
                await refusal {
                    try await context.transaction {
                        var locked = FetchDescriptor<PortStatistics>()
                        locked.lock = .update
                        _ = try await context.fetch(locked)
                    }
                }.contains("cannot be locked"))
            #expect(!store.recorder.statements.contains { $0.contains("UPDATE") || $0.contains("DELETE") })
            try await store.container.erase()
            #expect(try await context.fetchCount(FetchDescriptor<PortStatistics>()) == 0)
        }
    }

    @Test func `an object of a view is not inserted`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self, StopName.self) { store in
            let context = ModelContext(store.container)
            context.insert(StopName("A"))
            context.insert(Stop("b", of: nil))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.message.hasPrefix("Objects of StopName cannot be inserted: they are rows of a view") == true)
            try await context.save()
            #expect(try await context.fetch(FetchDescriptor<StopName>()).map(\.name) == ["B"])
        }
    }

    @Test func `an object that its view still leads to is deleted`() async throws {
        try await withPorts { _, context in
            let ports = try await context.fetch(FetchDescriptor<PortStatistics>(sortBy: [SortDescriptor(\.port)]))
            let voyage = try #require(ports.last?.firstVoyage)
            context.delete(voyage)
            try await context.save()
            #expect(try await context.fetchCount(FetchDescriptor<PortStatistics>()) == 2)
        }
    }

    @Test func `what a view cannot have is named when the schema is made`() async throws {
        func findings(_ types: any PersistentModel.Type...) -> String {
            do {
                _ = try ModelContainer(
                    for: Schema(types), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return ""
            } catch { return "\(error)" }
        }
        let nameless = findings(Voyage.self, Cruise.self, Stop.self, WrongViews.Nameless.self)
        #expect(nameless.contains("Nameless.number: no result of its view is called so"), "\(nameless)")
        #expect(nameless.contains("Nameless.persistentModelID: no result of its view is called so"))
        #expect(
            findings(Voyage.self, Cruise.self, Stop.self, WrongViews.Indexed.self)
                .contains("Indexed: its objects are rows of a view, which has no indexes"))
        let named = findings(Voyage.self, Cruise.self, Stop.self, WrongViews.Named.self)
        #expect(
            named.contains(
                "Named: the key of its view is Stop.name, which is text in the database, and the identifier of an object holds a whole "
                    + "number of 64 bits"), "\(named)")
        let metered = findings(WrongViews.Meter.self, WrongViews.Metered.self)
        #expect(
            metered.contains(
                "Metered: the key of its view is Meter.serial, which is numeric in the database, and the identifier of an object holds a "
                    + "whole number of 64 bits with a sign"), "\(metered)")
        #expect(findings(WrongViews.Circular.self).contains("Circular: its view reads itself"))
        #expect(
            findings(Voyage.self, Cruise.self, Stop.self, PortStatistics.self, WrongViews.Holder.self)
                .contains("Holder.statistics: it leads to PortStatistics, whose objects are rows of a view"))
        #expect(
            findings(StopName.self)
                .contains("StopName: the definition of its view names Stop, which is not in the same store"))
    }

    @Test func `a view of another definition does not fit`() async throws {
        try await withPorts { store, _ in
            try await store.database.execute("COMMENT ON VIEW port_statistics IS 'strata 0'")
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.reopened(
                    Schema(Voyage.self, Cruise.self, Stop.self, PortStatistics.self)
                ).close()
            }
            #expect(error?.code == .storeDoesNotFit)
            #expect(error?.message.contains("view port_statistics was made of another definition") == true)
        }
    }

    @Test func `changes of a view cannot be observed`() async throws {
        try await withPorts { store, _ in
            let error = await #expect(throws: SwiftDataError.self) {
                for try await _ in store.container.results(of: FetchDescriptor<PortStatistics>()) { break }
            }
            #expect(error?.message.contains("Observe the classes that it reads") == true)
        }
    }
}
