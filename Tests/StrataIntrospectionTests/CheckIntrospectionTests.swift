import StrataClient
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataIntrospection

/// Checks that `#Check` says exactly so.
@Suite struct CheckIntrospectionTests {
    @Test(
        arguments: [
            ("(price >= (0)::numeric)", "$0.price >= 0"),
            ("((amount > 0) AND (amount <= 10))", "$0.amount > 0 && $0.amount <= 10"),
            (
                "(((amount > 0) AND (amount <= 10)) OR (amount = '-1'::integer))",
                "($0.amount > 0 && $0.amount <= 10) || $0.amount == -1"
            ),
            ("(0 < amount)", "$0.amount > 0"), ("(amount <> other)", "$0.amount != $0.other"),
            // The server lets NULL pass.
            ("(rating >= 1)", "($0.rating.flatMap { $0 >= 1 } ?? true)"),
            (#"("Small Number" < 100)"#, "$0.smallNumber < 100"),
            // What is not the same in Swift, or is none of these.
            ("(price >= 0.5)", nil), ("(small_number < 70000)", nil), ("(rating < amount)", nil),
            ("(char_length(name) > 0)", nil),
            ("(NOT (amount > 0))", nil), ("(amount IS NOT NULL)", nil), ("((amount)::numeric >= (0)::numeric)", nil),
            ("(amount = ANY (ARRAY[1, 2]))", nil), ("((amount + other) > 0)", nil), ("(unknown > 0)", nil),
            ("(name > 'a'::text)", nil),
            ("((amount > 0) AND (other > 0) OR (amount < 0))", nil),
        ] as [(String, String?)])
    func `a condition is said exactly, or not`(printed: String, expected: String?) {
        let columns: [String: SwiftCheck.Operand] = [
            "price": .init(name: "price", type: "Decimal", isOptional: false),
            "amount": .init(name: "amount", type: "Int", isOptional: false),
            "other": .init(name: "other", type: "Int", isOptional: false),
            "rating": .init(name: "rating", type: "Int", isOptional: true),
            "Small Number": .init(name: "smallNumber", type: "Int16", isOptional: false),
            "small_number": .init(name: "smallNumber", type: "Int16", isOptional: false),
            "name": .init(name: "name", type: "String", isOptional: false),
        ]
        #expect(SwiftCheck(printed) { columns[$0] }?.condition == expected)
    }

    @Test func `the class has the rule, under the name of the constraint`() async throws {
        try await withTestDatabase("checks") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await database.execute(
                """
                CREATE TABLE lines (id bigserial PRIMARY KEY, amount integer NOT NULL, price numeric(8, 2), note text NOT NULL,
                    CONSTRAINT lines_amount_check CHECK (amount BETWEEN 1 AND 100), CONSTRAINT "ck price" CHECK (price > 0),
                    CONSTRAINT amount CHECK (amount <> 13), CONSTRAINT note_is_short CHECK (char_length(note) < 20))
                """)
            let description = try #require(try DatabaseDescription.read(schemaName: "public", connection: connection))
            let plan = ModelPlan(description)
            #expect(
                plan.classes.flatMap(\.checks).map { "\($0.rule) \($0.constraint): \($0.condition)" } == [
                    "amount amount: $0.amount != 13", "ckPrice ck price: ($0.price.flatMap { $0 > 0 } ?? true)",
                    "amount2 lines_amount_check: $0.amount >= 1 && $0.amount <= 100",
                ], "\(plan.classes.flatMap(\.checks))")
            #expect(
                plan.gaps.map(\.reason) == ["the check note_is_short is the server's alone: (char_length(note) < 20)"])
        }
    }
}
