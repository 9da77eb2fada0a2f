import Foundation
import Strata
import Testing

@Model private class Node {
    var name: String
    init(_ name: String) { self.name = name }
}

@Model private final class Folder: Node {
    var parent: Folder?
    @Relationship(deleteRule: .cascade, inverse: \Folder.parent) var folders: [Folder] = []
    @Relationship(deleteRule: .cascade, inverse: \Paper.folder) var papers: [Paper] = []
}

@Model private final class Paper: Node {
    var folder: Folder?
    @Relationship(deleteRule: .cascade) var originals: [Paper] = []
    @Relationship(deleteRule: .cascade, inverse: \Paper.originals) var copies: [Paper] = []
}

/// A lock must have a key and takes it along; the key stands in the lock's table.
@Model private final class Lock {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Key.lock) var key: Key
    init(_ name: String, key: Key) {
        self.name = name
        self.key = key
    }
}

@Model private final class Key {
    var name: String
    var lock: Lock?
    init(_ name: String) { self.name = name }
}

/// A desk is denied by its lamps, and lamps go with their room.
@Model private final class Desk {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Lamp.desk) var lamps: [Lamp] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Room {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Lamp.room) var lamps: [Lamp] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Lamp {
    var name: String
    var desk: Desk?
    var room: Room?
    /// It cannot be without a cable, and the cable does not know it.
    @Relationship(inverse: nil) var cable: Cable?
    init(_ name: String) { self.name = name }
}

@Model private final class Cable {
    var name: String
    init(_ name: String) { self.name = name }
}

/// How far delete rules reach over what is not in memory.
@Suite struct DeleteReachTests {
    private func tree(_ container: ModelContainer) async throws {
        let context = ModelContext(container)
        let root = Folder("0")
        context.insert(root)
        var parent = root
        for depth in 1...4 {
            let folder = Folder("\(depth)")
            folder.parent = parent
            let paper = Paper("p\(depth)")
            paper.folder = folder
            parent = folder
        }
        try await context.save()
        #expect(try await context.fetchCount(FetchDescriptor<Node>()) == 9)
    }

    @Test(arguments: [false, true])
    func `a tree in a subclass's table goes as a whole`(byPredicate: Bool) async throws {
        try await withModelStore(Node.self, Folder.self, Paper.self) { store in
            try await tree(store.container)
            let context = ModelContext(store.container)
            // In memory, but nothing of what lies between.
            let last = try #require(
                try await context.fetch(FetchDescriptor<Paper>(predicate: #Predicate { $0.name == "p4" })).first)
            let other = try #require(
                try await context.fetch(FetchDescriptor<Folder>(predicate: #Predicate { $0.name == "3" })).first)
            store.recorder.reset()
            if byPredicate {
                try context.delete(model: Folder.self, where: #Predicate { $0.name == "0" })
            } else {
                let root = try await context.fetch(FetchDescriptor<Folder>(predicate: #Predicate { $0.name == "0" }))
                store.recorder.reset()
                context.delete(root[0])
            }
            try await context.save()
            if !byPredicate { #expect(store.recorder.roundTrips == 1) }
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Node>()) == 0)
            #expect(last.isDeleted && last.modelContext == nil)
            #expect(other.isDeleted && other.modelContext == nil)
            other.name = "too late"
            #expect(!context.hasChanges)
        }
    }

    @Test func `objects that a transaction deleted over others are back when it fails`() async throws {
        try await withModelStore(Node.self, Folder.self, Paper.self) { store in
            try await tree(store.container)
            let context = ModelContext(store.container)
            let paper = try #require(
                try await context.fetch(FetchDescriptor<Paper>(predicate: #Predicate { $0.name == "p4" })).first)
            await expectStop {
                try await context.transaction {
                    try context.delete(model: Folder.self, where: #Predicate { $0.name == "0" })
                    try await context.save()
                    #expect(paper.isDeleted)
                    throw Stop()
                }
            }
            #expect(!paper.isDeleted && paper.modelContext === context)
            paper.name = "still here"
            try await context.save()
        }
    }

    @Test func `a circle of cascades ends`() async throws {
        try await withModelStore(Node.self, Folder.self, Paper.self) { store in
            let first = ModelContext(store.container)
            let papers = (0..<6).map { Paper("\($0)") }
            for index in papers.indices { papers[index].copies = [papers[(index + 1) % 5]] }
            papers[5].copies = []
            for paper in papers { first.insert(paper) }
            try await first.save()
            let context = ModelContext(store.container)
            let paper = try #require(
                try await context.fetch(FetchDescriptor<Paper>(predicate: #Predicate { $0.name == "2" })).first)
            context.delete(paper)
            try await context.save()
            #expect(try await ModelContext(store.container).fetch(FetchDescriptor<Paper>()).map(\.name) == ["5"])
        }
    }

    @Test(arguments: [false, true])
    func `what must have its target takes it along`(byPredicate: Bool) async throws {
        try await withModelStore(Lock.self, Key.self) { store in
            let first = ModelContext(store.container)
            first.insert(Lock("L", key: Key("K")))
            first.insert(Lock("M", key: Key("N")))
            try await first.save()
            let context = ModelContext(store.container)
            if byPredicate {
                try context.delete(model: Lock.self, where: #Predicate { $0.name == "L" })
            } else {
                for lock in try await context.fetch(FetchDescriptor<Lock>()) where lock.name == "L" {
                    context.delete(lock)
                }
            }
            try await context.save()
            #expect(try await ModelContext(store.container).fetch(FetchDescriptor<Key>()).map(\.name) == ["N"])
        }
    }

    @Test(arguments: [false, true]) func `deny yields to a cascade of the same save`(inMemory: Bool) async throws {
        try await withModelStore(Desk.self, Room.self, Lamp.self, Cable.self) { store in
            let first = ModelContext(store.container)
            let (desk, room, lamp) = (Desk("D"), Room("R"), Lamp("L"))
            lamp.desk = desk
            lamp.room = room
            lamp.cable = Cable("C")
            first.insert(lamp)
            try await first.save()
            let context = ModelContext(store.container)
            let onlyDesk = try await context.only(Desk.self)
            if inMemory { #expect(onlyDesk.lamps.count == 1) }
            context.delete(onlyDesk)
            await expectError(.deleteDenied) { try await context.save() }
            context.delete(try await context.only(Room.self))
            try await context.save()
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Lamp>()) == 0)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Desk>()) == 0)
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Cable>()) == 1)
        }
    }

    @Test func `a deletion by predicate names the rule that forbids it`() async throws {
        try await withModelStore(Desk.self, Room.self, Lamp.self, Cable.self) { store in
            let first = ModelContext(store.container)
            let lamp = Lamp("L")
            lamp.desk = Desk("D")
            first.insert(lamp)
            try await first.save()
            let context = ModelContext(store.container)
            try context.delete(model: Desk.self)
            await expectError(.deleteDenied) { try await context.save() }
            try context.delete(model: Room.self)
            context.rollback()
            try context.delete(model: Lamp.self)
            try context.delete(model: Desk.self)
            try await context.save()
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<Desk>()) == 0)
        }
    }
}
