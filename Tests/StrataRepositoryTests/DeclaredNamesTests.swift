import StrataModels
import StrataRepository
import Testing

/// Names that a model gives: where they lead, and what is refused.
@Suite struct DeclaredNamesTests {
    enum Wrong {
        @Model(table: "one", keyColumn: "name", classColumn: "xmin") class Upper {
            var name = ""
            @Attribute(column: "other") var title = ""
            var other = ""
            @Attribute(column: "ctid") var mark = 0
            // Its column is the other side's.
            @Relationship(column: "x", inverse: \Leaf.root) var leaves: [Leaf] = []
            @Relationship(table: "pairs", column: "a", inverseColumn: "a", inverse: \Other.roots) var others: [Other] =
                []
            init() {}
        }
        @Model(table: "one") final class Leaf: Upper {
            @Relationship(column: "root_id") var root: Upper?
        }
        @Model(table: "one", classColumn: "kind") final class Other {
            @Relationship(table: "twos") var roots: [Upper] = []
            @Relationship(table: "pairs", inverse: \Third.others) var thirds: [Third] = []
            init() {}
        }
        @Model final class Third {
            @Relationship(column: "b") var others: [Other] = []
            var pk = 1
            init() {}
        }
        @Model(keyColumn: "k", classColumn: "k") class Same {
            init() {}
        }
        @Model final class Below: Same {}
    }

    enum Free {
        @Model class Item {
            @Attribute(column: "name") var pk = 1
            // No subclass has another class.
            var `class` = ""
            init() {}
        }
        @Model(classColumn: "kind") class Base {
            var `class` = ""
            init() {}
        }
        @Model final class Sub: Base {
            @Attribute(column: "kind") var other = 1
        }
        /// Both ends in one class, and one that is its own inverse.
        @Model(table: "people", keyColumn: "id") final class Person {
            @Relationship(table: "friends", column: "of", inverseColumn: "with", inverse: \Person.followers)
            var friends: [Person] = []
            var followers: [Person] = []
            @Relationship(column: "partner_id") var partner: Person?
            init() {}
        }
        @Model(table: "A", keyColumn: "id") final class Left {
            @Relationship(inverse: \Right.lefts) var rights: [Right] = []
            init() {}
        }
        @Model(table: "B", keyColumn: "no") final class Right {
            @Relationship(table: "ab") var lefts: [Left] = []
            init() {}
        }
    }

    private func findings(_ types: any PersistentModel.Type...) -> [String] {
        let schema = Schema(types)
        return SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map(\.description).sorted()
    }

    @Test func `what no table can have, or what names nothing, is a finding with a remedy`() {
        let found = findings(Wrong.Upper.self, Wrong.Leaf.self, Wrong.Other.self, Wrong.Third.self)
        for line in [
            "Upper.name: its column would be called name in the table one, as that of the key.",
            "Upper: its classColumn is called xmin, which PostgreSQL has in every table.",
            "Upper.mark: its column would be called ctid, which PostgreSQL has in every table.",
            "Upper.other: its column would be called other in the table one, as that of Upper.title.",
            "Upper.leaves: its links are in the column of Leaf.root, which it cannot name. Remedy: name the column there",
            "Leaf: its table would be called one, as that of Other, Upper.",
            "Other: it has a classColumn, and no subclass in this schema",
            "Other.roots: it says twos where Upper.others, the other end of the same links, says pairs.",
            "Other.roots: two columns of its table of pairs twos would be called a.",
            "Third.pk: its column would be called pk in the table third, as that of the key. Remedy: give it another with "
                + "@Attribute(column:), or @Relationship(column:); or give the key another: @Model(keyColumn:) of Third.",
        ] {
            #expect(found.contains { $0.hasPrefix(line) }, "\(line)\nnot in\n\(found.joined(separator: "\n"))")
        }
        #expect(
            findings(Wrong.Same.self, Wrong.Below.self).contains {
                $0.hasPrefix("Same: its key and the class of a row would both be in the column k.")
            })
    }

    @Test func `pk and class are names like others where nothing of Strata's is called so`() throws {
        #expect(findings(Free.Item.self, Free.Base.self, Free.Sub.self) == [])
        let mapping = StoreMapping(Schema(Free.Item.self, Free.Base.self, Free.Sub.self))
        let tables = DatabaseDefinition(mapping).tables
        func columns(_ name: String) -> [String]? { tables.first { $0.name == name }?.columns.map(\.name) }
        #expect(columns("item") == ["pk", "name", "class"])
        #expect(columns("base") == ["pk", "kind", "class"])
        #expect(columns("sub") == ["pk", "kind"])
    }

    @Test func `tables of pairs take the names of either end, and of two in one class`() throws {
        #expect(findings(Free.Person.self, Free.Left.self) == [])
        let mapping = StoreMapping(Schema(Free.Person.self, Free.Left.self))
        let tables = DatabaseDefinition(mapping).tables
        let friends = try #require(tables.first { $0.name == "friends" })
        #expect(Set(friends.columns.map(\.name)) == ["of", "with"])
        #expect(friends.foreignKeys.map(\.referencedColumns) == [["id"], ["id"]])
        let pairs = try #require(tables.first { $0.name == "ab" })
        // By the rule, of the names that are given.
        #expect(Set(pairs.columns.map(\.name)) == ["A_id", "B_no"])
        #expect(tables.first { $0.name == "people" }?.columns.map(\.name) == ["id", "partner_id"])
    }

    @Test func `a schema that is described says the names, and differs by them`() throws {
        let entity = try #require(Schema(Free.Person.self).entitiesByName["Person"])
        #expect(entity.table == "people" && entity.keyColumn == "id" && entity.classColumn == nil)
        #expect(entity.relationshipsByName["friends"]?.inverseColumn == "with")
        #expect(
            Schema.Attribute(name: "a", valueType: Int.self)
                != Schema.Attribute(name: "a", valueType: Int.self, column: "b"))
        #expect(Schema.Entity("A") != Schema.Entity("A", table: "b"))
    }
}
