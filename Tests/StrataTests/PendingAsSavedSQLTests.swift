import Foundation
import Strata
import Testing

/// The statements of fetches that take part in unsaved changes.
@Suite struct PendingAsSavedSQLTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    @Test func `only tables that the query asks for, and only columns that decide, are replaced`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            let context = store.context()
            let parent = try await context.only(Parent.self)
            parent.name = "Z"
            parent.note = "n"
            context.insert(Graph.Account("a@x", name: "new"))
            store.recorder.reset()
            _ = try await context.fetch(FetchDescriptor<Child>(predicate: #Predicate { $0.parent?.name == "Z" }))
            #expect(
                store.recorder.statements == [
                    #"WITH saved0("pk", "name") AS NOT MATERIALIZED ("#
                        + #"SELECT s.pk, s.c0 FROM (SELECT t."pk", t."name", TRUE FROM "public"."parent" AS t"#
                        + #" UNION ALL SELECT t."pk", u.c0 COLLATE "C", FALSE FROM unnest($1::bigint[], $2::text[]) AS u(pk, c0) JOIN "public"."parent" AS t ON t."pk" = u.pk)"#
                        + #" AS s(pk, c0, stored) WHERE NOT (s.stored AND s.pk = ANY ($3::bigint[])))"#
                        + #" SELECT t0."pk", t0."name", t0."age", t0."parent" FROM "public"."child" AS t0 LEFT JOIN saved0 AS t1 ON t1."pk" = t0."parent""#
                        + #" WHERE t1."name" = $4::text ORDER BY t0."pk""#
                ])
        }
    }

    @Test func `a fetch of other classes, and one without unsaved changes, is the plain statement`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A"))
            let context = store.context()
            try await context.only(Parent.self).name = "Z"
            store.recorder.reset()
            _ = try await context.fetch(FetchDescriptor<Child>())
            var stored = FetchDescriptor<Parent>()
            stored.includePendingChanges = false
            _ = try await context.fetch(stored)
            #expect(
                store.recorder.statements == [
                    #"SELECT t0."pk", t0."name", t0."age", t0."parent" FROM "public"."child" AS t0"#,
                    #"SELECT t0."pk", t0."name", t0."note" FROM "public"."parent" AS t0"#,
                ])
        }
    }

    @Test func `the same changes of other objects are the same statement`() async throws {
        try await withGraphStore { store in
            for age in 0..<3 { try await store.save(Child("s\(age)", age: age)) }
            let context = store.context()
            let children = try await context.all(Child.self)
            let descriptor = FetchDescriptor<Child>(predicate: #Predicate { $0.age > 1 })
            store.recorder.reset()
            for child in children {
                child.age += 10
                context.insert(Child("n"))
                _ = try await context.fetchCount(descriptor)
            }
            #expect(Set(store.recorder.statements).count == 1)
        }
    }

    @Test func `many changed objects are told apart by a join, few by an array`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            for number in 0..<101 {
                context.insert(Child("n\(number)", age: number % 2))
                guard number == 0 || number == 100 else { continue }
                let odd = FetchDescriptor<Child>(predicate: #Predicate { $0.age == 1 })
                store.recorder.reset()
                let count = try await context.fetchCount(odd)
                #expect(count == number / 2)
                #expect(store.recorder.statements.first?.contains("= ANY (") == (number == 0))
            }
        }
    }

    @Test func `what goes by rules is found by one recursive query`() async throws {
        try await withGraphStore { store in
            try await store.save(Parent("A", children: [Child("a")]))
            let context = store.context()
            context.delete(try await context.only(Parent.self))
            store.recorder.reset()
            _ = try await context.fetchCount(FetchDescriptor<Child>())
            let statement = try #require(store.recorder.statements.first)
            #expect(store.recorder.statements.count == 1)
            #expect(statement.hasPrefix(#"WITH RECURSIVE doomed0(root, pk) AS (SELECT "#))
            #expect(
                statement.hasSuffix(
                    #"saved0("pk") AS NOT MATERIALIZED (SELECT t."pk" FROM "public"."child" AS t WHERE NOT EXISTS (SELECT FROM doomed0 AS d WHERE d.root = "#
                        + "\(try childRoot(statement))" + #" AND d.pk = t."pk")) SELECT count(*) FROM saved0 AS t0"#))
        }
    }

    /// The number that the statement gives the hierarchy.
    private func childRoot(_ statement: String) throws -> Substring {
        let match = try #require(statement.firstMatch(of: /saved0.*d\.root = (\d+) AND/))
        return match.1
    }
}
