import Foundation
import Strata
import Testing

/// What a client sends may write what the call names, and nothing else.
@Suite struct PatchTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    private func patch<M: PersistentModel>(_ json: String, of _: M.Type = M.self) throws -> ModelPatch<M> {
        try JSONDecoder().decode(ModelPatch<M>.self, from: Data(json.utf8))
    }

    /// The keys that were refused, each with its place and the reason.
    private func refused(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async -> [String] {
        do {
            try await body()
            Issue.record("was not refused", sourceLocation: sourceLocation)
            return []
        } catch let error as SwiftDataError where error == .refusedPatch {
            for key in error.refusedKeys {
                #expect(error.message.contains(key.entityName), sourceLocation: sourceLocation)
            }
            return error.refusedKeys.map { "\($0.entityName) \($0.path): \($0.reason)" }
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
            return []
        }
    }

    private func withLogin(_ body: (ModelContext, Login) async throws -> Void) async throws {
        try await withModelStore(Login.self) { store in
            let context = ModelContext(store.container)
            let login = Login(email: "a@example.com")
            context.insert(login)
            try await context.save()
            try await body(context, login)
        }
    }

    // MARK: Attributes

    @Test func `only the properties that are named are written`() async throws {
        try await withLogin { context, login in
            let greedy = try patch(
                #"{"name":"B","email":"b@example.com","role":"admin","passwordHash":"x","colour":1}"#, of: Login.self)
            let keys = await refused { try await context.apply(greedy, to: login, allowing: \.name) }
            #expect(
                keys == [
                    "Login colour: unknown", "Login email: notAllowed", "Login role: notAllowed",
                    "Login passwordHash: notAllowed",
                ])
            #expect(!context.hasChanges)
            try await context.apply(greedy, to: login, allowing: \.name, \.email, otherKeys: .ignored)
            #expect((login.name, login.email, login.role, login.passwordHash) == ("B", "b@example.com", "user", ""))
            // What the program itself allows may be private(set) or hidden.
            let own: ModelPatch<Login> = try patch(#"{"role":"guest","passwordHash":"h"}"#)
            try await context.apply(own, to: login, allowing: \.role, \.passwordHash)
            #expect((login.role, login.passwordHash) == ("guest", "h"))
        }
    }

    @Test func `a patch is read before it is applied`() throws {
        let patch: ModelPatch<Login> = try patch(#"{"name":"B","colour":1}"#)
        #expect(patch.keys == ["name", "colour"])
        #expect(patch.value(of: \.name) == "B")
        #expect(patch.value(of: \.email) == nil)
        #expect(patch.contains(\.name) && !patch.contains(\.email))
        #expect("\(patch)" == "patch of Login")
        #expect(throws: DecodingError.self) { try self.patch(#"{"name":7}"#, of: Login.self) }
        #expect(throws: DecodingError.self) { try self.patch(#"{"class":"Trip"}"#, of: Login.self) }
    }

    @Test func `the identifier in a body is the object's own, or refused`() async throws {
        try await withLogin { context, login in
            let other = Login(email: "b@example.com")
            context.insert(other)
            let (mine, theirs) = (login.persistentModelID, other.persistentModelID)
            try await context.apply(
                try patch(#"{"persistentModelID":"\#(mine)","name":"B"}"#), to: login, allowing: \.name)
            #expect(login.name == "B")
            let wrong: ModelPatch<Login> = try patch(#"{"persistentModelID":"\#(theirs)","name":"C"}"#)
            #expect(
                await refused { try await context.apply(wrong, to: login, allowing: \.name) }
                    == ["Login persistentModelID: notAllowed"])
        }
    }

    @Test func `what a client sent does not break a line of the log`() async throws {
        try await withLogin { context, login in
            let key = String(repeating: "k", count: 5_000)
            let nasty: ModelPatch<Login> = try patch(#"{"a\nERROR b":1,"\#(key)":2}"#)
            do {
                try await context.apply(nasty, to: login, allowing: \.name)
                Issue.record("was not refused")
            } catch let error as SwiftDataError {
                #expect(!error.description.contains("\n"))
                #expect(error.description.utf8.count < 1_000)
                #expect(error.refusedKeys.map(\.key).contains(key))
            }
        }
    }

    @Test func `everything is what the class has`() async throws {
        try await withFamily { _, context, parent, own, _ in
            let body: ModelPatch<Parent> = try patch(
                #"{"nam":"B","children":[{"persistentModelID":\#(id(own[0])),"age":9,"agee":1}]}"#)
            #expect(
                await refused { try await context.apply(body, to: parent, allowing: .everything) }
                    == ["Parent nam: unknown", "Child children[0].agee: unknown"])
            #expect(!context.hasChanges)
            try await context.apply(body, to: parent, allowing: .everything, otherKeys: .ignored)
            #expect(own[0].age == 9 && parent.children.count == 1)
        }
    }

    @Test func `a key path that is not stored is a mistake of the program`() async throws {
        try await withLogin { context, login in
            let patch: ModelPatch<Login> = try patch(#"{"name":"B"}"#)
            await expectError(.unsupportedKeyPath) { try await context.apply(patch, to: login, allowing: \.shout) }
            #expect(!context.hasChanges)
        }
    }

    @Test func `the blocking forms refuse too`() async throws {
        try await withLogin { context, login in
            let patch: ModelPatch<Login> = try patch(#"{"name":"B","role":"admin"}"#)
            func blocking() throws { try context.apply(patch, to: login, allowing: \.name) }
            #expect(throws: SwiftDataError.refusedPatch) { try blocking() }
            func ignoring() throws { try context.apply(patch, to: login, allowing: \.name, otherKeys: .ignored) }
            try ignoring()
            #expect((login.name, login.role) == ("B", "user"))
            func inserting() throws -> Login {
                try context.insert(patch, allowing: \.name, \.email, otherKeys: .ignored)
            }
            await expectError(.invalidValue) { _ = try inserting() }
        }
    }

    // MARK: New objects

    @Test func `a new object has the values that are allowed`() async throws {
        try await withLogin { context, _ in
            let body: ModelPatch<Login> = try patch(#"{"email":"c@example.com","name":"C","role":"admin"}"#)
            #expect(
                await refused { _ = try await context.insert(body, allowing: \.email, \.name) }
                    == ["Login role: notAllowed"])
            let login = try await context.insert(body, allowing: \.email, \.name, otherKeys: .ignored)
            #expect((login.email, login.name, login.role) == ("c@example.com", "C", "user"))
            try await context.save()
        }
    }

    @Test func `a client does not choose the class of a new object`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let truck: ModelPatch<Graph.Vehicle> = try patch(#"{"class":"Truck","name":"Scania","tons":9}"#)
            #expect(
                await refused { _ = try await context.insert(truck, allowing: \.name) }
                    == ["Truck tons: notAllowed", "Truck class: notAllowed"])
            let plain = try await context.insert(truck, allowing: \.name, otherKeys: .ignored)
            #expect(type(of: plain) == Graph.Vehicle.self && plain.name == "Scania")
            let whole = try await context.insert(truck, allowing: .everything)
            #expect((whole as? Graph.Truck)?.tons == 9)
        }
    }

    @Test func `a patch of a base class changes an object of a subclass`() async throws {
        try await withGraphStore { store in
            try await store.save(Graph.Car("Volvo"))
            let context = store.context()
            let car = try await context.only(Graph.Vehicle.self)
            try await context.apply(try patch(#"{"name":"Saab"}"#), to: car, allowing: \.name)
            #expect(car.name == "Saab" && car is Graph.Car)
        }
    }

    // MARK: Relationships

    /// A parent with two children, and a child of nobody.
    private func withFamily(
        _ body: (GraphStore, ModelContext, Parent, _ own: [Child], _ stranger: Child) async throws -> Void
    ) async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a"), Child("b")]), Child("stranger"))
            let context = store.context()
            let children = try await context.fetch(FetchDescriptor<Child>(sortBy: [SortDescriptor(\.name)]))
            try await body(
                store, context, try await context.only(Parent.self), Array(children[..<2]), children[2])
        }
    }

    private func id(_ model: any PersistentModel) -> String { "\"\(model.persistentModelID)\"" }

    @Test func `a relationship that is not named stays`() async throws {
        try await withFamily { _, context, parent, own, stranger in
            for objects in ["[]", "null", "[\(id(stranger))]", #"[{"name":"new","age":1}]"#] {
                let body: ModelPatch<Parent> = try patch(#"{"name":"B","children":\#(objects)}"#)
                #expect(
                    await refused { try await context.apply(body, to: parent, allowing: \.name) }
                        == ["Parent children: notAllowed"])
                try await context.apply(body, to: parent, allowing: \.note, otherKeys: .ignored)
                #expect(parent.children.count == 2 && !context.hasChanges)
            }
        }
    }

    @Test func `a relationship that is named gets objects that exist, as they are`() async throws {
        try await withFamily { store, context, parent, own, stranger in
            try await context.apply(
                try patch(#"{"children":[\#(id(own[0])),\#(id(stranger))]}"#), to: parent, allowing: \.children)
            #expect(Set(parent.children.map(\.name)) == ["a", "stranger"])
            let changing: ModelPatch<Parent> = try patch(
                #"{"children":[{"persistentModelID":\#(id(own[0])),"age":9},{"name":"new","age":1}]}"#)
            #expect(
                await refused { try await context.apply(changing, to: parent, allowing: \.children) }
                    == ["Child children[0].age: notAllowed", "Parent children[1]: newObject"])
            #expect(own[0].age == 0)
            try await context.save()
            #expect(try await store.count(Child.self) == 3)
        }
    }

    @Test func `values of related objects are written where that is allowed`() async throws {
        try await withFamily { _, context, parent, own, stranger in
            let ages = WritableProperties<Parent>.only(\.name).related(at: \.children, .only(\.age))
            try await context.apply(
                try patch(#"{"children":[{"persistentModelID":\#(id(own[1])),"age":9}]}"#), to: parent, allowing: ages)
            #expect(own.map(\.age) == [0, 9])
            // Those that were not named stay: the membership is not the patch's.
            #expect(parent.children.count == 2)
            let intruding: ModelPatch<Parent> = try patch(
                #"""
                {"children":[{"persistentModelID":\#(id(own[0])),"age":8},
                {"persistentModelID":\#(id(stranger)),"age":7}]}
                """#)
            #expect(
                await refused { try await context.apply(intruding, to: parent, allowing: ages) }
                    == ["Parent children[1]: otherObject"])
            #expect(own[0].age == 0)
            try await context.apply(intruding, to: parent, allowing: ages, otherKeys: .ignored)
            #expect(own[0].age == 8 && stranger.age == 0 && stranger.parent == nil)
        }
    }

    @Test func `new related objects are made where that is allowed, with what is allowed`() async throws {
        try await withFamily { store, context, parent, own, _ in
            let body: ModelPatch<Parent> = try patch(#"{"children":[\#(#"{"name":"new","age":4}"#)]}"#)
            let named = WritableProperties<Parent>.only(\.children)
            #expect(
                await refused {
                    try await context.apply(
                        body, to: parent, allowing: named.related(at: \.children, .only(\.name), creating: true))
                } == ["Child children[0].age: notAllowed"])
            // New objects come only where the relationship itself may be written.
            #expect(
                await refused {
                    try await context.apply(
                        body, to: parent,
                        allowing: .only(\.name).related(at: \.children, .only(\.name, \.age), creating: true))
                } == ["Parent children[0]: newObject"])
            try await context.apply(
                body, to: parent, allowing: named.related(at: \.children, .only(\.name, \.age), creating: true))
            #expect(parent.children.map(\.name) == ["new"] && parent.children[0].age == 4)
            try await context.save()
            #expect(try await store.count(Child.self) == 4)
        }
    }
}

@Model private final class Login {
    @Attribute(.unique) var email: String
    var name = ""
    private(set) var role = "user"
    @Attribute(.hidden) var passwordHash = ""
    init(email: String) { self.email = email }
    var shout: String { name.uppercased() }
}
