import StrataIntrospection
import StrataModels
import StrataRepository
import Testing

/// Tables of pairs whose foreign keys have several columns.
@Suite struct CrossedPairsTests {
    private static func table(
        _ name: String, _ columns: [String], key: [String],
        foreignKeys: [(columns: [String], table: String, referenced: [String])] = []
    ) -> DatabaseDescription.Table {
        DatabaseDescription.Table(
            TableDefinition(
                name: name, columns: columns.map { ColumnDefinition(name: $0, type: .bigint) },
                primaryKey: PrimaryKeyDefinition(name: "\(name)_pkey", columns: key),
                foreignKeys: foreignKeys.map {
                    ForeignKeyDefinition(
                        name: $0.columns.joined(), columns: $0.columns, referencedTable: $0.table,
                        referencedColumns: $0.referenced, onDelete: .cascade)
                }))
    }

    private static let orders = table("orders", ["id"], key: ["id"])
    private static let lines = table(
        "lines", ["order_id", "nr", "amount"], key: ["order_id", "nr"],
        foreignKeys: [(["order_id"], "orders", ["id"])])
    private static let tags = table("tags", ["id"], key: ["id"])

    private func properties(_ tables: DatabaseDescription.Table...) -> [String] {
        ModelPlan(DatabaseDescription(tables: tables)).classes.sorted { $0.name < $1.name }.flatMap { model in
            model.properties.map { "\(model.name).\($0.name): \($0.type) \($0.arguments.joined(separator: ", "))" }
        }
    }

    /// Whatever the order in which tables, and the columns of foreign keys, are found.
    @Test func anEndHasTheColumnsOfTheKey() {
        let marked = Self.table(
            "a_marked", ["tag", "line_nr", "line_order"], key: ["tag", "line_order", "line_nr"],
            foreignKeys: [(["tag"], "tags", ["id"]), (["line_nr", "line_order"], "lines", ["nr", "order_id"])])
        let found = properties(marked, Self.orders, Self.lines, Self.tags)
        #expect(
            found.contains(
                #"Line.tags: [Tag] table: "a_marked", columns: ["line_order", "line_nr"], inverse: \Tag.lines"#),
            "\(found)")
        #expect(found.contains(#"Tag.lines: [Line] column: "tag""#), "\(found)")
        #expect(!found.contains { $0.hasPrefix("AMarked") }, "\(found)")
    }

    @Test func namesThatFollowFromTheModelAreNotSaid() {
        let pairs = Self.table(
            "line_tags", ["lines_order_id", "lines_nr", "tags_id"], key: ["lines_order_id", "lines_nr", "tags_id"],
            foreignKeys: [
                (["tags_id"], "tags", ["id"]), (["lines_order_id", "lines_nr"], "lines", ["order_id", "nr"]),
            ])
        let found = properties(Self.orders, Self.lines, Self.tags, pairs)
        #expect(found.contains(#"Line.tags: [Tag] inverse: \Tag.lines"#), "\(found)")
        #expect(found.contains("Tag.lines: [Line] "), "\(found)")
    }

    @Test func anEndWithAKeyOfOnePartNamesAList() {
        var (lands, marked) = (
            Self.table("lands", ["code"], key: ["code"]),
            Self.table(
                "marked", ["tag", "land"], key: ["tag", "land"],
                foreignKeys: [(["tag"], "tags", ["id"]), (["land"], "lands", ["code"])])
        )
        lands.definition.columns[0].type = "character(3)"
        marked.definition.columns[1].type = "character(3)"
        let found = properties(marked, lands, Self.tags)
        #expect(
            found.contains(#"Land.tags: [Tag] table: "marked", columns: ["land"], inverse: \Tag.lands"#), "\(found)")
        #expect(found.contains(#"Tag.lands: [Land] column: "tag""#), "\(found)")
    }

    /// Who refers to a pair refers to an object. In columns of other types one key would be read as two.
    @Test func whatOthersReferToOrReadOtherwiseIsAClass() {
        let pairs = Self.table(
            "line_tags", ["order_id", "nr", "tag"], key: ["order_id", "nr", "tag"],
            foreignKeys: [(["tag"], "tags", ["id"]), (["order_id", "nr"], "lines", ["order_id", "nr"])])
        let notes = Self.table(
            "notes", ["id", "order_id", "nr", "tag"], key: ["id"],
            foreignKeys: [(["order_id", "nr", "tag"], "line_tags", ["order_id", "nr", "tag"])])
        func names(_ tables: DatabaseDescription.Table...) -> [String] {
            ModelPlan(DatabaseDescription(tables: tables)).classes.map(\.name).sorted()
        }
        #expect(names(Self.orders, Self.lines, Self.tags, pairs) == ["Line", "Order", "Tag"])
        #expect(names(Self.orders, Self.lines, Self.tags, pairs, notes).contains("LineTag"))
        var (moments, days) = (Self.lines, Self.lines)
        moments.definition.columns[1].type = ColumnType(.timestamptz)
        #expect(names(Self.orders, moments, Self.tags, pairs).contains("LineTag"))
        days.definition.columns[1].type = ColumnType(.date)
        var dayPairs = pairs
        dayPairs.definition.columns[1].type = ColumnType(.date)
        #expect(names(Self.orders, days, Self.tags, dayPairs) == ["Line", "Order", "Tag"])
    }

    /// A column that both sides have is that of two relationships, of which neither could be changed alone.
    @Test func whatBothSidesShareIsAPartOfAClass() {
        let links = Self.table(
            "links", ["order_id", "one", "other"], key: ["order_id", "one", "other"],
            foreignKeys: [
                (["order_id", "one"], "lines", ["order_id", "nr"]),
                (["order_id", "other"], "lines", ["order_id", "nr"]),
            ])
        let model = ModelPlan(DatabaseDescription(tables: [links, Self.orders, Self.lines])).classes.first {
            $0.name == "Link"
        }
        #expect(model?.primaryKey == ["orderId", "one", "other"], "\(String(describing: model))")
    }
}
