import StrataMigrations
import StrataModels
import StrataRepository
import Testing

@Suite struct FrozenFingerprintTests {
    private static func frozen() throws -> FrozenSchema { try FrozenSchema(freezing: KennelModels.schema) }

    struct Change: Sendable, CustomTestStringConvertible {
        let line: String
        let apply: @Sendable (inout FrozenSchema) -> Void
        var testDescription: String { line }

        init(_ line: String, _ apply: @escaping @Sendable (inout FrozenSchema) -> Void) {
            self.line = line
            self.apply = apply
        }
    }

    private static let changes: [Change] = [
        Change("Puppy.weight: hashModifier grams → kilos") { $0.entities[1].attributes[0].hashModifier = "kilos" },
        Change("Dog.name: isOptional false → true") { $0.entities[0].attributes[0].isOptional = true },
        Change("Dog.name: originalName title → none") { $0.entities[0].attributes[0].originalName = nil },
        Change("Dog.name: column name → title") { $0.entities[0].attributes[0].column = "title" },
        Change("Dog.name: type text → bigint") { $0.entities[0].attributes[0].type = "bigint" },
        Change("Dog.name: valueType String → Int") { $0.entities[0].attributes[0].valueType = "Int" },
        Change("Dog.name: options [] → [unique]") { $0.entities[0].attributes[0].options = [.unique] },
        Change("Dog.coat: cases [smooth, wire] → [smooth]") { $0.entities[0].attributes[2].cases = ["smooth"] },
        Change("Dog.coat: defaultExpression 'wire'::text → none") {
            $0.entities[0].attributes[2].defaultExpression = nil
        },
        Change("Dog.born: attribute removed") { $0.entities[0].attributes.remove(at: 1) },
        Change("Dog.toys: destination Toy → Dog") { $0.entities[0].relationships[0].destination = "Dog" },
        Change("Dog.toys: inverse owner → none") { $0.entities[0].relationships[0].inverse = nil },
        Change("Dog.toys: deleteRule cascade → deny") { $0.entities[0].relationships[0].deleteRule = "deny" },
        Change("Dog.toys: isToOne false → true") { $0.entities[0].relationships[0].isToOne = true },
        Change("Dog.toys: isOptional false → true") { $0.entities[0].relationships[0].isOptional = true },
        Change("Dog.toys: minimumCount 0 → 1") { $0.entities[0].relationships[0].minimumCount = 1 },
        Change("Dog.toys: maximumCount 0 → 9") { $0.entities[0].relationships[0].maximumCount = 9 },
        Change("Dog.toys: hashModifier none → 2") { $0.entities[0].relationships[0].hashModifier = "2" },
        Change("Dog.toys: originalName none → games") { $0.entities[0].relationships[0].originalName = "games" },
        Change(
            "Dog.toys: storage (inverseForeignKey: (column: owner, table: toy)) → (foreignKey: (column: toy, table: dog))"
        ) { $0.entities[0].relationships[0].storage = .foreignKey(table: "dog", column: "toy") },
        Change("Puppy: parent Dog → none") { $0.entities[1].parent = nil },
        Change("Puppy: table puppy → dog") { $0.entities[1].table = "dog" },
        Change("Puppy: discriminator Puppy → P") { $0.entities[1].discriminator = "P" },
        Change("Dog: uniques [[name, born]] → []") { $0.entities[0].uniques = [] },
        Change("Dog: indexes [(method: btree, properties: [born])] → [(method: hash, properties: [born])]") {
            $0.entities[0].indexes[0].method = "hash"
        },
        Change("Toy: entity removed") { $0.entities.remove(at: 2) },
        Change("table puppy: removed") { $0.database.tables.remove(at: 1) },
        Change("column dog.class: isNullable false → true") { $0.database.tables[0].columns[1].isNullable = true },
        Change("unique constraint dog.dog_name_born_key: renamed to other") {
            $0.database.tables[0].uniques[0].name = "other"
        },
        Change("foreign key puppy.puppy_pk_fkey: onDelete CASCADE → SET NULL") {
            $0.database.tables[1].foreignKeys[0].onDelete = .setNull
        },
        Change("sequence counter: added") {
            $0.database.sequences = [SequenceDefinition(name: "counter", start: 1, minimum: 1, maximum: 9)]
        },
    ]

    @Test(arguments: changes)
    func `Every field counts, and the difference names it`(change: Change) throws {
        let old = try Self.frozen()
        var new = old
        change.apply(&new)
        #expect(FrozenSchemaDifference(from: old, to: new).lines == [change.line])
        #expect(new.fingerprint != old.fingerprint)
    }

    @Test func `Versions and orders of declaration do not count`() throws {
        let old = try Self.frozen()
        var new = old
        new.version = Schema.Version(9, 0, 0)
        new.entities.reverse()
        for index in new.entities.indices {
            new.entities[index].attributes.reverse()
            for slot in new.entities[index].attributes.indices { new.entities[index].attributes[slot].cases?.reverse() }
        }
        new.database.tables.reverse()
        for index in new.database.tables.indices { new.database.tables[index].columns.reverse() }
        #expect(new.fingerprint == old.fingerprint)
        #expect(FrozenSchemaDifference(from: old, to: new).isEmpty)
    }

    @Test func `The order within a unique set counts`() throws {
        let old = try Self.frozen()
        var new = old
        new.entities[0].uniques = [["born", "name"]]
        #expect(new.fingerprint != old.fingerprint)
    }
}
