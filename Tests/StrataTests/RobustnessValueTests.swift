import Foundation
import Strata
import Testing

@Model private final class Parcel {
    enum Refusing: AttributeTransformer {
        static func transformed(_ value: String) throws -> Data {
            if value == "refuse" { throw CocoaError(.coderInvalidValue) }
            return Data(value.utf8)
        }
        static func restored(_ data: Data) throws -> String {
            guard data != Data("broken".utf8) else { throw CocoaError(.coderReadCorrupt) }
            return String(decoding: data, as: UTF8.self)
        }
    }
    struct Label: Codable, Hashable {
        var text = ""
        var weight = 0.0
    }

    var name: String
    var number = 0
    var small: Int16 = 0
    var weight = 0.0
    var sent = Date(timeIntervalSince1970: 0)
    var label = Label()
    var tags: [String] = []
    var dates: [Date] = []
    @Attribute(.transformable(by: Refusing.self)) var secret: String = ""
    @Attribute(.externalStorage) var content: Data?
    var inline: Data?
    init(name: String) { self.name = name }
}

private func expectUsableParcels(_ context: ModelContext, _ location: SourceLocation = #_sourceLocation) async throws {
    context.rollback()
    let parcel = Parcel(name: "usable \(UUID())")
    context.insert(parcel)
    try await context.save()
    let name = parcel.name
    let found = try await context.fetch(FetchDescriptor<Parcel>(predicate: #Predicate { $0.name == name })).first
    #expect(found === parcel, sourceLocation: location)
}

@Suite struct RobustnessValueTests {
    private static let unwritable: [(property: String, set: @Sendable (Parcel) -> Void)] = [
        ("name", { $0.name = "a\u{0}b" }),
        ("tags", { $0.tags = ["fine", "a\u{0}b"] }),
        ("label", { $0.label.text = "a\u{0}b" }),
        ("label", { $0.label.weight = .nan }),
        ("label", { $0.label.weight = .infinity }),
        ("sent", { $0.sent = Date(timeIntervalSince1970: 1e15) }),
        ("sent", { $0.sent = Date(timeIntervalSince1970: -1e15) }),
        ("sent", { $0.sent = Date(timeIntervalSince1970: .nan) }),
        ("sent", { $0.sent = Date(timeIntervalSince1970: .infinity) }),
        ("sent", { $0.sent = Date(timeIntervalSince1970: 9_224_318_016_000) }),
        ("dates", { $0.dates = [Date(timeIntervalSince1970: 1e15)] }),
        ("secret", { $0.secret = "refuse" }),
    ]

    @Test(arguments: unwritable.indices) func `a value that cannot be stored is an error that names the property`(
        index: Int
    )
        async throws
    {
        let (property, set) = Self.unwritable[index]
        try await withModelStore(Parcel.self) { store in
            let context = ModelContext(store.container)
            let existing = Parcel(name: "existing")
            context.insert(existing)
            try await context.save()

            let parcel = Parcel(name: "new")
            set(parcel)
            context.insert(parcel)
            context.insert(Parcel(name: "innocent"))
            let inserting = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(inserting?.code == .invalidValue, "\(String(describing: inserting))")
            #expect(inserting?.message.contains("Parcel.\(property)") == true, "\(String(describing: inserting))")
            #expect(context.insertedModelsArray.count == 2)
            context.rollback()

            set(existing)
            let updating = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(updating?.code == .invalidValue, "\(String(describing: updating))")
            #expect(updating?.message.contains("Parcel.\(property)") == true, "\(String(describing: updating))")
            #expect(context.changedModelsArray.count == 1)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Parcel>()) == 1)
            try await expectUsableParcels(context)
        }
    }

    @Test func `a captured value that cannot be sent is an error, and one that fits no row finds none`() async throws {
        try await withModelStore(Parcel.self) { store in
            let context = ModelContext(store.container)
            context.insert(Parcel(name: "a"))
            try await context.save()
            func expectRefusedOrEmpty(_ predicate: Predicate<Parcel>, _ location: SourceLocation = #_sourceLocation)
                async throws
            {
                do {
                    let count = try await ModelContext(store.container).fetchCount(
                        FetchDescriptor(predicate: predicate))
                    #expect(count == 0, sourceLocation: location)
                } catch let error as SwiftDataError {
                    #expect(
                        [.unsupportedPredicate, .invalidValue].contains(error.code), "\(error)",
                        sourceLocation: location)
                }
            }
            let (nul, far, never) = ("a\u{0}", Date(timeIntervalSince1970: 1e15), Date(timeIntervalSince1970: .nan))
            let (undefined, nuls, big) = (0 * Double.infinity, ["a\u{0}"], Int.max)
            try await expectRefusedOrEmpty(#Predicate { $0.name == nul })
            try await expectRefusedOrEmpty(#Predicate { $0.name.contains(nul) })
            try await expectRefusedOrEmpty(#Predicate { nuls.contains($0.name) })
            try await expectRefusedOrEmpty(#Predicate { $0.sent == far })
            try await expectRefusedOrEmpty(#Predicate { $0.sent > far })
            try await expectRefusedOrEmpty(#Predicate { $0.sent == never })
            try await expectRefusedOrEmpty(#Predicate { $0.weight == undefined })
            try await expectRefusedOrEmpty(#Predicate { $0.number == big })
            // Overflow and division by zero happen on the server.
            for predicate in [
                #Predicate<Parcel> { $0.number + big > 0 && $0.number * big + big + 1 > 0 },
                #Predicate<Parcel> { 1 / $0.number == 1 },
                #Predicate<Parcel> { 1 % $0.number == 1 },
            ] {
                do {
                    _ = try await context.fetchCount(FetchDescriptor(predicate: predicate))
                } catch {
                    let error = try #require(error as? SwiftDataError)
                    #expect(error.sqlState?.hasPrefix("22") == true || error.code == .unsupportedPredicate, "\(error)")
                }
            }
            try await expectUsableParcels(context)
        }
    }

    @Test func `100,000 captured values are one parameter`() async throws {
        try await withModelStore(Parcel.self) { store in
            let context = ModelContext(store.container)
            for number in [1, 50_000, 99_999, 100_001] {
                let parcel = Parcel(name: "n\(number)")
                parcel.number = number
                context.insert(parcel)
            }
            try await context.save()
            let numbers = Array(0..<100_000)
            let names = Set(numbers.map { "n\($0)" })
            store.recorder.reset()
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Parcel>(predicate: #Predicate { numbers.contains($0.number) })) == 3)
            #expect(
                try await context.fetchCount(FetchDescriptor<Parcel>(predicate: #Predicate { names.contains($0.name) }))
                    == 3)
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Parcel>(predicate: #Predicate { !names.contains($0.name) })) == 1)
            // A connection that was idle for long is asked whether it is alive; that is no fetch.
            #expect(store.recorder.statements.filter { !$0.isEmpty }.count == 3)
            #expect(store.recorder.statements.allSatisfy { $0.count < 500 })
            try await expectUsableParcels(context)
        }
    }

    @Test func `100 MB of data go in and come back, and are read only when they are touched`() async throws {
        try await withModelStore(Parcel.self) { store in
            let context = ModelContext(store.container)
            let parcel = Parcel(name: "big")
            let size = 100 << 20
            parcel.content = Data(count: size)
            parcel.content?[size - 1] = 7
            context.insert(parcel)
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try #require(try await reader.fetch(FetchDescriptor<Parcel>()).first)
            #expect(reader.lazyLoadCount == 0)
            #expect(read.content?.count == size)
            #expect(reader.lazyLoadCount == 1)
            #expect(read.content?.last == 7)
            read.content = Data([1])
            try await reader.save()
            try await context.refresh([parcel])
            let third = ModelContext(store.container)
            #expect(try await third.fetch(FetchDescriptor<Parcel>()).first?.content == Data([1]))
            try await expectUsableParcels(context)
        }
    }

    @Test func `more than a message of the protocol can hold is an error`() async throws {
        try await withModelStore(Parcel.self) { store in
            let context = ModelContext(store.container)
            let chunk = Data(count: 300 << 20)
            for _ in 0..<4 {
                let parcel = Parcel(name: "huge")
                parcel.inline = chunk
                context.insert(parcel)
            }
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue || error?.code == .storeFailure, "\(String(describing: error))")
            #expect(context.insertedModelsArray.count == 4)
            try await expectUsableParcels(context)
        }
    }

    @Test func `stored bytes that a transformer refuses are an error`() async throws {
        try await withModelStore(Parcel.self) { store in
            let context = ModelContext(store.container)
            context.insert(Parcel(name: "a"))
            try await context.save()
            try await store.database.execute("UPDATE parcel SET secret = 'broken'")
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Parcel>())
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains("Parcel.secret") == true)
            try await store.database.execute("DELETE FROM parcel")
            try await expectUsableParcels(context)
        }
    }
}
