import StrataClient
import StrataModels
import Testing

@testable import StrataRepository

/// What an update is written as: one row or many, with old values to compare or without, alone or with others.
@Suite struct UpdateTextTests {
    typealias M = SaveModels

    struct Form: Sendable, CustomTestStringConvertible {
        let policy: ConflictPolicy
        let rows: Int
        /// Whether it is all there is to save.
        var isAlone = false
        let sql: String
        var testDescription: String { "\(policy), \(rows) rows\(isAlone ? ", alone" : "")" }
    }

    @Test(arguments: [
        Form(
            policy: .throw, rows: 1,
            sql: """
                WITH written AS (UPDATE item AS t SET title = $2::text WHERE t.pk = $1::bigint \
                AND t.title IS NOT DISTINCT FROM $3::text RETURNING t.pk) \
                SELECT 1 FROM written HAVING 1 / (count(*) = 1)::int = 0
                """),
        Form(
            policy: .overwrite, rows: 1,
            sql: """
                WITH written AS (UPDATE item AS t SET title = $2::text WHERE t.pk = $1::bigint RETURNING t.pk) \
                SELECT 1 FROM written HAVING 1 / (count(*) = 1)::int = 0
                """),
        Form(
            policy: .keepStore, rows: 1,
            sql: """
                WITH written (pk, lost) AS (UPDATE item AS t SET title = CASE WHEN t.title IS NOT DISTINCT FROM $3::text \
                THEN $2::text ELSE t.title END WHERE t.pk = $1::bigint \
                RETURNING t.pk, ARRAY[t.title IS DISTINCT FROM $2::text]::boolean[]) \
                SELECT k.pk, w.lost FROM (SELECT $1::bigint) AS k(pk) LEFT JOIN written AS w ON w.pk = k.pk \
                WHERE w.pk IS NULL OR true = ANY (w.lost)
                """),
        Form(
            policy: .throw, rows: 3,
            sql: """
                WITH written AS (UPDATE item AS t SET title = u.n0 \
                FROM unnest($1::bigint[], $2::text[], $3::text[]) AS u(pk, n0, o0) WHERE t.pk = u.pk \
                AND t.title IS NOT DISTINCT FROM u.o0 RETURNING t.pk) \
                SELECT 1 FROM written HAVING 1 / (count(*) = cardinality($1))::int = 0
                """),
        Form(
            policy: .overwrite, rows: 3,
            sql: """
                WITH written AS (UPDATE item AS t SET title = u.n0 \
                FROM unnest($1::bigint[], $2::text[]) AS u(pk, n0) WHERE t.pk = u.pk RETURNING t.pk) \
                SELECT 1 FROM written HAVING 1 / (count(*) = cardinality($1))::int = 0
                """),
        Form(
            policy: .keepStore, rows: 3,
            sql: """
                WITH written (pk, lost) AS (UPDATE item AS t SET title = CASE WHEN t.title IS NOT DISTINCT FROM u.o0 \
                THEN u.n0 ELSE t.title END \
                FROM unnest($1::bigint[], $2::text[], $3::text[]) AS u(pk, n0, o0) WHERE t.pk = u.pk \
                RETURNING t.pk, ARRAY[t.title IS DISTINCT FROM u.n0]::boolean[]) \
                SELECT k.pk, w.lost FROM unnest($1::bigint[]) AS k(pk) LEFT JOIN written AS w ON w.pk = k.pk \
                WHERE w.pk IS NULL OR true = ANY (w.lost)
                """),
        Form(
            policy: .throw, rows: 1, isAlone: true,
            sql: """
                UPDATE item AS t SET title = $2::text WHERE t.pk = $1::bigint \
                AND t.title IS NOT DISTINCT FROM $3::text
                """),
        Form(
            policy: .overwrite, rows: 1, isAlone: true,
            sql: "UPDATE item AS t SET title = $2::text WHERE t.pk = $1::bigint"),
        Form(
            policy: .keepStore, rows: 1, isAlone: true,
            sql: """
                WITH written (pk, lost) AS (UPDATE item AS t SET title = CASE WHEN t.title IS NOT DISTINCT FROM $3::text \
                THEN $2::text ELSE t.title END WHERE t.pk = $1::bigint \
                RETURNING t.pk, ARRAY[t.title IS DISTINCT FROM $2::text]::boolean[]) \
                SELECT k.pk, w.lost FROM (SELECT $1::bigint) AS k(pk) LEFT JOIN written AS w ON w.pk = k.pk \
                WHERE w.pk IS NULL OR true = ANY (w.lost)
                """),
    ])
    func `an update is written in the form that its rows and its policy ask for`(_ form: Form) async throws {
        try await withSaveStore { store in
            store.conflictPolicy = form.policy
            let items = (0..<form.rows).map { M.Item("old \($0)") }
            let country = M.Country("France")
            for item in items { store.insert(item) }
            store.insert(country)
            try await store.save()
            for round in 1...2 {
                for (index, item) in items.enumerated() { item.title = "new \(round) \(index)" }
                if !form.isAlone { country.name = "France \(round)" }
                try await store.save()
                let updates = store.recorder.statements.filter { $0.contains("\"item\"") }
                #expect(
                    updates.map { $0.replacing("\"public\".", with: "").replacing("\"", with: "") } == [form.sql])
                #expect(store.recorder.statements.contains("BEGIN") == !form.isAlone)
                #expect(
                    try await store.rows("SELECT title FROM item ORDER BY title")
                        == items.indices.map { "new \(round) \($0)" })
            }
        }
    }

    @Test func `each form is made once, and what differs in rows, columns or old values has one of its own`()
        async throws
    {
        try await withSaveStore { store in
            let entity = try #require(store.mapping.entity(for: M.Item.self))
            let title = try #require(entity.columns.firstIndex { $0?.name == "title" })
            let amount = try #require(entity.columns.firstIndex { $0?.name == "amount" })
            let items = (0..<3).map { M.Item("\($0)") }
            for item in items { store.insert(item) }
            let layouts = UpdateLayoutCache()
            func group(_ rows: Int, _ slots: SlotSet, comparing: SlotSet = SlotSet()) throws -> UpdateGroup {
                let shape = UpdateGroup.Shape(
                    owner: entity.index, slots: slots, checked: comparing, phase: .early)
                let group = UpdateGroup(layouts.layout(shape, owner: entity), reservingCapacity: rows)
                for item in items.prefix(rows) { try group.add(item, key: item._$state.key, KeyRewriting()) }
                return group
            }
            var made = 0
            func text(_ group: UpdateGroup, _ form: UpdateStatement.Form) -> PreparedSQL {
                group.layout.text(UpdateStatement.Kind(form: form, isSingle: group.models.count == 1)) {
                    made += 1
                    return "text \(made)"
                }.sql
            }
            let one = SlotSet([title])
            let two = SlotSet([title, amount])
            var known: Set<UInt64> = []
            for form in [UpdateStatement.Form.failing, .keepingStore, .alone] {
                for group in [
                    try group(1, one), try group(1, one, comparing: one), try group(2, one),
                    try group(2, one, comparing: one), try group(1, two), try group(1, two, comparing: one),
                ] {
                    let sql = text(group, form)
                    #expect(known.insert(sql.id).inserted)
                    #expect(text(group, form) === sql)
                }
            }
            #expect(made == 18)
            // Any number of rows beyond one is the same text, and so is another group of the same shape.
            #expect(text(try group(3, one), .failing) === text(try group(2, one), .failing))
            #expect(made == 18)
        }
    }
}
