import Foundation
import Strata
import Testing

/// More properties than one word has bits; the subclass begins in the second word.
@Model private class Wide {
    var p00 = 0
    var p01 = 1
    var p02 = 2
    var p03 = 3
    var p04 = 4
    var p05 = 5
    var p06 = 6
    var p07 = 7
    var p08 = 8
    var p09 = 9
    var p10 = 10
    var p11 = 11
    var p12 = 12
    var p13 = 13
    var p14 = 14
    var p15 = 15
    var p16 = 16
    var p17 = 17
    var p18 = 18
    var p19 = 19
    var p20 = 20
    var p21 = 21
    var p22 = 22
    var p23 = 23
    var p24 = 24
    var p25 = 25
    var p26 = 26
    var p27 = 27
    var p28 = 28
    var p29 = 29
    var p30 = 30
    var p31 = 31
    var p32 = 32
    var p33 = 33
    var p34 = 34
    var p35 = 35
    var p36 = 36
    var p37 = 37
    var p38 = 38
    var p39 = 39
    var p40 = 40
    var p41 = 41
    var p42 = 42
    var p43 = 43
    var p44 = 44
    var p45 = 45
    var p46 = 46
    var p47 = 47
    var p48 = 48
    var p49 = 49
    var p50 = 50
    var p51 = 51
    var p52 = 52
    var p53 = 53
    var p54 = 54
    var p55 = 55
    var p56 = 56
    var p57 = 57
    var p58 = 58
    var p59 = 59
    var p60 = 60
    var p61 = 61
    var p62 = 62
    var p63 = 63
    var p64 = 64
    var p65 = 65
    var p66 = 66
    var p67 = 67
    var p68 = 68
    var p69 = 69
    var p70 = 70
    var p71 = 71
    var p72 = 72
    var p73 = 73
    var p74 = 74
    init() {}
}

@Model private final class Wider: Wide {
    var t00: String?
    var t01: String?
    var t02: String?
    var t03: String?
    var t04: String?
    var t05: String?
    var t06: String?
    var t07: String?
    var t08: String?
    var t09: String?
    var t10: String?
    var t11: String?
    var t12: String?
    var t13: String?
    var t14: String?
    var t15: String?
    var t16: String?
    var t17: String?
    var t18: String?
    var t19: String?
    var t20: String?
    var t21: String?
    var t22: String?
    var t23: String?
    var t24: String?
    var t25: String?
    var t26: String?
    var t27: String?
    var t28: String?
    var t29: String?
    var t30: String?
    var t31: String?
    var t32: String?
    var t33: String?
    var t34: String?
    var t35: String?
    var t36: String?
    var t37: String?
    var t38: String?
    var t39: String?
    var t40: String?
    var t41: String?
    var t42: String?
    var t43: String?
    var t44: String?
    var t45: String?
    var t46: String?
    var t47: String?
    var t48: String?
    var t49: String?
    var t50: String?
    var t51: String?
    var t52: String?
    var t53: String?
    var t54: String?
    var t55: String?
    var t56: String?
    var t57: String?
    var t58: String?
    var t59: String?
    var t60: String?
    var t61: String?
    var t62: String?
    var t63: String?
    var t64: String?
    var t65: String?
    var t66: String?
    var t67: String?
    var t68: String?
    var t69: String?
    var t70: String?
    var t71: String?
    var t72: String?
    var t73: String?
    var t74: String?
}

/// Four levels, each with a property and a relationship of its own.
@Model private class Being {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Mark.being) var marks: [Mark] = []
    init(name: String) { self.name = name }
}

@Model private class Animal: Being { var legs = 0 }
@Model private class Mammal: Animal { var fur: String? }
@Model private final class Dog: Mammal {
    var tricks: [String] = []
    @Relationship(inverse: \Dog.pups) var parent: Dog?
    var pups: [Dog] = []
}
@Model private final class Fish: Animal { var depth = 0.0 }

@Model private final class Mark {
    var label: String
    var being: Being?
    init(label: String) { self.label = label }
}

/// Words that SQL has taken.
@Model private final class Select {
    var from: String
    var `where` = 0
    var order: Int?
    var group = [1]
    var user = "u"
    var `default` = true
    var table = Date(timeIntervalSince1970: 0)
    @Relationship(inverse: \User.selects) var check: User?
    init(from: String) { self.from = from }
}

@Model private final class User {
    var primary = ""
    var selects: [Select] = []
    init() {}
}

// swift-format-ignore: IdentifiersMustBeASCII
/// Names beyond ASCII, and beyond the 63 bytes of an identifier.
@Model private final class Größe {
    var höhe: Double
    var 名前 = ""
    var anExtraordinarilyLongPropertyNameThatGoesOnAndOnUntilItIsLongerThanPostgreSQLAllows = 1
    var anExtraordinarilyLongPropertyNameThatGoesOnAndOnUntilItIsLongerThanPostgreSQLAllowed = 2
    @Relationship(
        deleteRule: .cascade, inverse: \AClassWhoseNameIsSoLongThatNoIdentifierOfPostgreSQLCanHoldAllOfIt.größe)
    var anExtraordinarilyLongRelationshipNameThatGoesOnAndOnUntilItIsTooLong:
        [AClassWhoseNameIsSoLongThatNoIdentifierOfPostgreSQLCanHoldAllOfIt] = []
    @Relationship(inverse: \AClassWhoseNameIsSoLongThatNoIdentifierOfPostgreSQLCanHoldAllOfIt.many)
    var many: [AClassWhoseNameIsSoLongThatNoIdentifierOfPostgreSQLCanHoldAllOfIt] = []
    init(höhe: Double) { self.höhe = höhe }
}

// swift-format-ignore: IdentifiersMustBeASCII
@Model private final class AClassWhoseNameIsSoLongThatNoIdentifierOfPostgreSQLCanHoldAllOfIt {
    var title: String
    var größe: Größe?
    var many: [Größe] = []
    init(title: String) { self.title = title }
}

@Suite struct RoundTripShapeTests {
    @Test func `a class with more than 64 properties saves, updates and notices conflicts`() async throws {
        try await withModelStore(Wide.self, Wider.self) { store in
            let context = ModelContext(store.container)
            let wider = Wider()
            wider.p74 = -74
            wider.t00 = "zero"
            wider.t74 = "last"
            context.insert(wider)
            try await context.save()
            let other = ModelContext(store.container)
            let read = try #require(try await other.fetch(FetchDescriptor<Wide>()).first as? Wider)
            #expect((read.p00, read.p63, read.p64, read.p74) == (0, 63, 64, -74))
            #expect((read.t00, read.t73, read.t74) == ("zero", nil, "last"))
            read.p63 = 1
            read.p64 = 2
            read.t74 = nil
            store.recorder.reset()
            try await other.save()
            let updates = store.recorder.statements.filter { $0.contains("UPDATE") }
            #expect(updates.count == 2)
            #expect(!updates.contains { $0.contains("p65") || $0.contains("t73") })
            wider.t73 = "mine"
            try await context.save()
            wider.t74 = "mine"
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .conflict)
            #expect(error?.message.contains("Wider.t74") == true)
            context.rollback()
            #expect(wider.t74 == "last")
            #expect(wider.t73 == "mine")
            let partial = ModelContext(store.container)
            var descriptor = FetchDescriptor<Wider>()
            descriptor.propertiesToFetch = [\.p70, \.t74]
            let some = try #require(try await partial.fetch(descriptor).first)
            #expect(some.p70 == 70)
            #expect(partial.lazyLoadCount == 0)
            #expect(some.t73 == "mine")
            #expect(partial.lazyLoadCount == 1)
            #expect(some.p64 == 2)
            #expect(partial.lazyLoadCount == 1)
        }
    }

    @Test func `four levels of classes save and fetch in one round trip each`() async throws {
        try await withModelStore(Being.self, Animal.self, Mammal.self, Dog.self, Fish.self, Mark.self) { store in
            let context = ModelContext(store.container)
            let (mother, pup) = (Dog(name: "Mother"), Dog(name: "Pup"))
            mother.legs = 4
            mother.fur = "brown"
            mother.tricks = ["sit", "\"roll, over\""]
            mother.pups = [pup]
            let fish = Fish(name: "Fish")
            fish.depth = 12.5
            fish.marks = [Mark(label: "scale")]
            pup.marks = [Mark(label: "spot")]
            for being in [Being(name: "Being"), Animal(name: "Animal"), Mammal(name: "Mammal"), mother, fish] {
                context.insert(being)
            }
            try await context.save()
            #expect(store.recorder.roundTrips == 1)

            let reader = ModelContext(store.container)
            store.recorder.reset()
            var descriptor = FetchDescriptor<Being>(sortBy: [SortDescriptor(\.name)])
            descriptor.relationshipKeyPathsForPrefetching = [\.marks]
            let beings = try await reader.fetch(descriptor)
            #expect(store.recorder.roundTrips == 2)
            #expect(beings.map { "\(type(of: $0))" } == ["Animal", "Being", "Fish", "Mammal", "Dog", "Dog"])
            let (readMother, readPup) = (try #require(beings[4] as? Dog), try #require(beings[5] as? Dog))
            #expect(readMother.tricks == ["sit", "\"roll, over\""])
            #expect(readMother.fur == "brown")
            #expect(readMother.legs == 4)
            #expect(readPup.marks.map(\.label) == ["spot"])
            #expect(readPup.parent === readMother)
            #expect((beings[2] as? Fish)?.depth == 12.5)
            store.recorder.reset()
            let animals = try await reader.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.legs >= 0 }))
            #expect(animals.count == 5)
            #expect(store.recorder.roundTrips == 1)

            readMother.name = "M"
            readMother.legs = 3
            readMother.fur = "grey"
            readMother.tricks = []
            store.recorder.reset()
            try await reader.save()
            #expect(store.recorder.roundTrips == 1)
            try await context.refresh([mother])
            #expect((mother.name, mother.legs, mother.fur) == ("M", 3, "grey"))
            #expect(mother.tricks.isEmpty)
            reader.delete(readMother)
            try await reader.save()
            #expect(try await context.fetchCount(FetchDescriptor<Being>()) == 5)
            #expect(readPup.parent == nil)
        }
    }

    @Test func `names that are words of SQL work everywhere`() async throws {
        try await withModelStore(Select.self, User.self) { store in
            let context = ModelContext(store.container)
            let select = Select(from: "f")
            select.check = User()
            select.order = 3
            context.insert(select)
            try await context.save()
            let reader = ModelContext(store.container)
            var descriptor = FetchDescriptor<Select>(
                predicate: #Predicate {
                    $0.from == "f" && $0.`where` == 0 && $0.order == 3 && $0.`default` && $0.check != nil
                },
                sortBy: [SortDescriptor(\.table), SortDescriptor(\.user)])
            descriptor.relationshipKeyPathsForPrefetching = [\.check]
            let read = try #require(try await reader.fetch(descriptor).first)
            #expect(read.check?.selects.first === read)
            read.group = [2, 3]
            read.user = "x"
            try await reader.save()
            try await context.refresh([select])
            #expect(select.group == [2, 3])
            try reader.delete(model: Select.self, where: #Predicate { $0.user == "x" })
            try await reader.save()
            #expect(try await context.fetchCount(FetchDescriptor<Select>()) == 0)
        }
    }

    // swift-format-ignore: IdentifiersMustBeASCII
    @Test func `names beyond ASCII and beyond 63 bytes work everywhere`() async throws {
        typealias Long = AClassWhoseNameIsSoLongThatNoIdentifierOfPostgreSQLCanHoldAllOfIt
        try await withModelStore(Größe.self, Long.self) { store in
            let context = ModelContext(store.container)
            let größe = Größe(höhe: 1.5)
            größe.名前 = "名"
            größe.anExtraordinarilyLongRelationshipNameThatGoesOnAndOnUntilItIsTooLong = [
                Long(title: "a"), Long(title: "b"),
            ]
            größe.many = [Long(title: "c")]
            context.insert(größe)
            try await context.save()
            let reader = ModelContext(store.container)
            let read = try #require(
                try await reader.fetch(FetchDescriptor<Größe>(predicate: #Predicate { $0.höhe == 1.5 && $0.名前 == "名" }))
                    .first)
            #expect(read.anExtraordinarilyLongPropertyNameThatGoesOnAndOnUntilItIsLongerThanPostgreSQLAllows == 1)
            #expect(read.anExtraordinarilyLongPropertyNameThatGoesOnAndOnUntilItIsLongerThanPostgreSQLAllowed == 2)
            #expect(
                read.anExtraordinarilyLongRelationshipNameThatGoesOnAndOnUntilItIsTooLong.map(\.title) == ["a", "b"])
            #expect(read.many.first?.many.first === read)
            read.anExtraordinarilyLongPropertyNameThatGoesOnAndOnUntilItIsLongerThanPostgreSQLAllowed = 3
            read.many = []
            try await reader.save()
            // A second process finds the tables as they should be.
            let again = try await store.reopened(Schema(Größe.self, Long.self))
            let third = ModelContext(again)
            let last = try #require(try await third.fetch(FetchDescriptor<Größe>()).first)
            #expect(last.anExtraordinarilyLongPropertyNameThatGoesOnAndOnUntilItIsLongerThanPostgreSQLAllowed == 3)
            #expect(last.many.isEmpty)
            third.delete(last)
            try await third.save()
            #expect(try await third.fetch(FetchDescriptor<Long>()).map(\.title) == ["c"])
            await again.close()
        }
    }
}
