import Foundation
import Strata
import StrataTestSupport
import Testing

private enum Depot {
    @Model class Crate {
        @Attribute(.unique) var code: String
        @Attribute(.unique) var number: Int32
        @Attribute(.unique) var label: String?
        @Relationship(deleteRule: .cascade, inverse: \Parcel.crate) var parcels: [Parcel] = []
        init(_ code: String, _ number: Int32) {
            self.code = code
            self.number = number
            label = "label \(code)"
        }
    }

    @Model final class SealedCrate: Crate {
        @Attribute(.unique) var seal: String
        var guardian: Guardian
        @Relationship(deleteRule: .nullify, inverse: \Visit.crate) var visits: [Visit] = []
        init(_ code: String, _ number: Int32, seal: String, guardian: Guardian) {
            self.seal = seal
            self.guardian = guardian
            super.init(code, number)
        }
    }

    @Model final class Guardian {
        var name: String
        @Relationship(inverse: \SealedCrate.guardian) var crates: [SealedCrate] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Parcel {
        var name: String
        var crate: Crate
        init(_ name: String, crate: Crate) {
            self.name = name
            self.crate = crate
        }
    }

    @Model final class Visit {
        var name: String
        var crate: SealedCrate?
        init(_ name: String) { self.name = name }
    }
}

private enum School {
    @Model final class Pupil {
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Model final class Course {
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Model final class Enrollment {
        #Unique<Enrollment>([\.pupil, \.course])
        @Relationship(inverse: nil) var pupil: Pupil
        @Relationship(inverse: nil) var course: Course
        @Relationship(inverse: \Note.enrollment) var notes: [Note] = []
        init(_ pupil: Pupil, _ course: Course) {
            self.pupil = pupil
            self.course = course
        }
    }

    @Model final class Note {
        var text: String
        var enrollment: Enrollment?
        init(_ text: String) { self.text = text }
    }
}

private enum Lamps {
    @Model final class Lamp {
        @Attribute(.unique) var isOn: Bool
        @Relationship(inverse: \Tag.lamp) var tags: [Tag] = []
        init(_ isOn: Bool) { self.isOn = isOn }
    }

    @Model final class Tag {
        @Attribute(.unique) var name: String
        var lamp: Lamp?
        init(_ name: String) { self.name = name }
    }

    @Model final class Desk {
        #Unique<Desk>([\.room, \.lamp])
        var name: String
        @Relationship(inverse: nil) var room: Lamp?
        @Relationship(inverse: nil) var lamp: Lamp?
        @Relationship(inverse: \Drawer.desk) var drawers: [Drawer] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Drawer {
        var name: String
        var desk: Desk?
        init(_ name: String) { self.name = name }
    }
}

/// New objects that take the place of deleted ones, beside other new objects and changes of class.
@Suite(.timeLimit(.minutes(5))) struct SuccessorTests {
    private typealias Crate = Depot.Crate
    private typealias SealedCrate = Depot.SealedCrate
    private typealias Guardian = Depot.Guardian
    private typealias Parcel = Depot.Parcel
    private typealias Visit = Depot.Visit

    private func withDepot(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Crate.self, SealedCrate.self, Guardian.self, Parcel.self, Visit.self) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private func withSchool(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(
            School.Pupil.self, School.Course.self, School.Enrollment.self, School.Note.self
        ) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private func crates(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            "SELECT code || ' ' || number || ' ' || coalesce(label, 'nil') FROM crate ORDER BY code")
    }

    @Test(arguments: [1, 2]) func `other new objects beside a successor have their values`(count: Int) async throws {
        try await withDepot { store, context in
            let old = Crate("A", 1)
            let parcel = Parcel("p", crate: old)
            context.insert(parcel)
            try await context.save()
            let new = Crate("A", 1)
            context.insert(new)
            let names = ["B", "C"].prefix(count)
            for (index, name) in names.enumerated() { context.insert(Crate(name, Int32(index + 2))) }
            parcel.crate = new
            context.delete(old)
            try await context.save()
            let rows = try await crates(store)
            #expect(rows == Array(["A 1 label A", "B 2 label B", "C 3 label C"].prefix(count + 1)))
            let owners = try await store.database.texts(
                "SELECT c.code FROM parcel AS p JOIN crate AS c ON c.pk = p.crate")
            #expect(owners == ["A"])
        }
    }

    @Test func `the row of an object that changes its class beside a successor has its values`() async throws {
        try await withDepot { store, context in
            let guardian = Guardian("g")
            let old = SealedCrate("A", 1, seal: "s", guardian: guardian)
            let (parcel, plain) = (Parcel("p", crate: old), Crate("X", 9))
            context.insert(parcel)
            context.insert(plain)
            try await context.save()
            try await context.convert(plain, to: SealedCrate.self) {
                $0.seal = "other"
                $0.guardian = guardian
                let new = SealedCrate("A", 1, seal: "s", guardian: guardian)
                context.insert(new)
                parcel.crate = new
                context.delete(old)
            }
            let rows = try await crates(store)
            #expect(rows == ["A 1 label A", "X 9 label X"])
            let seals = try await store.database.texts("SELECT seal FROM sealed_crate ORDER BY seal")
            #expect(seals == ["other", "s"])
        }
    }

    /// Who leaves what is deleted for it waits for its row, which refers to another new one and takes a value of the deleted one.
    @Test(arguments: [false, true])
    func `an object that changes its class takes the place of a deleted one`(takesValue: Bool) async throws {
        try await withDepot { store, context in
            let old = SealedCrate("A", 1, seal: "s", guardian: Guardian("first"))
            let (visit, plain) = (Visit("v"), Crate("X", 9))
            context.insert(old)
            context.insert(visit)
            visit.crate = old
            context.insert(plain)
            try await context.save()
            let new = try await context.convert(plain, to: SealedCrate.self) {
                $0.seal = takesValue ? "s" : "t"
                $0.guardian = Guardian("second")
                visit.crate = $0
                context.delete(old)
            }
            #expect(visit.crate === new)
            let rows = try await store.database.texts(
                "SELECT c.code || ' ' || s.seal || ' ' || g.name || ' ' || v.name FROM crate AS c "
                    + "JOIN sealed_crate AS s ON s.pk = c.pk JOIN guardian AS g ON g.pk = s.guardian "
                    + "LEFT JOIN visit AS v ON v.crate = c.pk")
            #expect(rows == ["X \(takesValue ? "s" : "t") second v"])
        }
    }

    /// The row that is referred to is there: only that of the new class is not.
    @Test func `who leaves what is deleted for an object that changes its class refers to the row that it has`()
        async throws
    {
        try await withDepot { store, context in
            let (old, plain) = (Crate("A", 1), Crate("X", 9))
            let parcel = Parcel("p", crate: old)
            context.insert(parcel)
            context.insert(plain)
            try await context.save()
            try await context.convert(plain, to: SealedCrate.self) {
                $0.seal = "s"
                $0.guardian = Guardian("new")
                parcel.crate = $0
                context.delete(old)
            }
            let rows = try await store.database.texts(
                "SELECT c.code || ' ' || s.seal || ' ' || p.name FROM crate AS c "
                    + "JOIN sealed_crate AS s ON s.pk = c.pk JOIN parcel AS p ON p.crate = c.pk")
            #expect(rows == ["X s p"])
        }
    }

    @Test func `a new object without a value to spare comes after the deletion that sets its values free`() async throws
    {
        try await withSchool { store, context in
            let old = School.Enrollment(School.Pupil("p"), School.Course("c"))
            let (first, second) = (School.Note("first"), School.Note("second"))
            context.insert(old)
            for note in [first, second] { context.insert(note) }
            try await context.save()
            // From nothing to the new one.
            let new = School.Enrollment(old.pupil, old.course)
            context.insert(new)
            first.enrollment = new
            context.delete(old)
            try await context.save()
            // From one that stays to the new one.
            let other = School.Enrollment(School.Pupil("q"), new.course)
            context.insert(other)
            second.enrollment = other
            try await context.save()
            let third = School.Enrollment(new.pupil, new.course)
            context.insert(third)
            second.enrollment = third
            first.enrollment = nil
            context.delete(new)
            try await context.save()
            let rows = try await store.database.texts(
                "SELECT n.text || ' ' || coalesce(p.name, 'nil') FROM note AS n LEFT JOIN enrollment AS e ON e.pk = n.enrollment "
                    + "LEFT JOIN pupil AS p ON p.pk = e.pupil ORDER BY n.text")
            #expect(rows == ["first nil", "second p"])
        }
    }

    @Test func `what leaves a deleted object for one without a value to spare is written before the deletion`()
        async throws
    {
        try await withSchool { store, context in
            let old = School.Enrollment(School.Pupil("p"), School.Course("c"))
            let note = School.Note("n")
            note.enrollment = old
            context.insert(old)
            context.insert(note)
            try await context.save()
            let new = School.Enrollment(School.Pupil("q"), old.course)
            context.insert(new)
            note.enrollment = new
            context.delete(old)
            try await context.save()
            let rows = try await store.database.texts(
                "SELECT p.name FROM note AS n JOIN enrollment AS e ON e.pk = n.enrollment JOIN pupil AS p ON p.pk = e.pupil"
            )
            #expect(rows == ["q"])
            #expect(try await ModelContext(store.container).fetchCount(FetchDescriptor<School.Enrollment>()) == 1)
        }
    }

    @Test func `a new object with a Boolean value comes after the deletion that sets it free`() async throws {
        try await withModelStore(Lamps.Lamp.self, Lamps.Tag.self, Lamps.Desk.self, Lamps.Drawer.self) { store in
            let context = ModelContext(store.container)
            let (old, tag) = (Lamps.Lamp(true), Lamps.Tag("t"))
            context.insert(old)
            context.insert(tag)
            try await context.save()
            let new = Lamps.Lamp(true)
            context.insert(new)
            tag.lamp = new
            context.delete(old)
            try await context.save()
            let rows = try await store.database.texts(
                "SELECT t.name || ' ' || l.is_on FROM tag AS t JOIN lamp AS l ON l.pk = t.lamp")
            #expect(rows == ["t true"])
        }
    }

    @Test func `no statement is added where no object moves from a deleted one to a new one`() async throws {
        try await withDepot { store, context in
            let (old, kept) = (Crate("A", 1), Crate("B", 2))
            let parcel = Parcel("p", crate: kept)
            for crate in [old, kept] { context.insert(crate) }
            context.insert(parcel)
            try await context.save()
            let new = Crate("A", 1)
            context.insert(new)
            parcel.crate = new
            context.delete(old)
            store.recorder.reset()
            try await context.save()
            let verbs = store.recorder.statements.filter { !$0.hasPrefix("SELECT") }.map { statement in
                ["BEGIN", "INSERT", "UPDATE", "DELETE", "SET", "COMMIT"].first { statement.contains($0) } ?? statement
            }
            #expect(verbs == ["BEGIN", "SET", "DELETE", "INSERT", "UPDATE", "COMMIT"])
            let rows = try await crates(store)
            #expect(rows == ["A 1 label A", "B 2 label B"])
        }
    }

    @Test func `what is no race for a value is not tried again`() async throws {
        try await withDepot { store, context in
            context.insert(Crate("A", 1))
            try await context.save()
            // A rule that no look-up knows of.
            try await store.database.execute("CREATE UNIQUE INDEX ON crate (lower(code))")
            context.insert(Crate("a", 2))
            store.recorder.reset()
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(store.recorder.statements.filter { $0.contains("INSERT INTO") }.count == 1)
        }
    }

    @Test func `an update of parked values that fails is named as such`() async throws {
        try await withDepot { store, context in
            let old = Crate("A", 1)
            let parcel = Parcel("p", crate: old)
            context.insert(parcel)
            try await context.save()
            try await store.database.execute("ALTER TABLE crate ADD CHECK (code <> 'refused')")
            let new = Crate("refused", 1)
            context.insert(new)
            parcel.crate = new
            context.delete(old)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.sqlState == "23514")
            #expect(
                error?.underlying?.statementName == "save: update crate (code, number, label) that were parked",
                "\(String(describing: error?.underlying?.statementName))")
        }
    }

    @Test func `a parked reference to what is deleted is named as emptied`() async throws {
        try await withModelStore(Lamps.Lamp.self, Lamps.Tag.self, Lamps.Desk.self, Lamps.Drawer.self) { store in
            let context = ModelContext(store.container)
            let (lamp, old, drawer) = (Lamps.Lamp(true), Lamps.Desk("old"), Lamps.Drawer("d"))
            (old.room, drawer.desk) = (lamp, old)
            for model in [lamp] { context.insert(model) }
            context.insert(old)
            context.insert(drawer)
            try await context.save()
            let new = Lamps.Desk("new")
            (new.room, new.lamp) = (lamp, lamp)
            context.insert(new)
            drawer.desk = new
            context.delete(old)
            context.delete(lamp)
            try await store.database.execute(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$",
                "CREATE TRIGGER refuse BEFORE UPDATE ON desk FOR EACH ROW WHEN (NEW.name = 'new') EXECUTE FUNCTION refuse()"
            )
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                error?.underlying?.statementName == "save: update desk (room) that were parked, emptied: room",
                "\(String(describing: error?.underlying?.statementName))")
            try await store.database.execute("DROP TRIGGER refuse ON desk")
            try await context.save()
            let rows = try await store.database.texts(
                "SELECT coalesce(room::text, 'nil') || ' ' || coalesce(lamp::text, 'nil') FROM desk")
            #expect(rows == ["nil nil"])
        }
    }
}
