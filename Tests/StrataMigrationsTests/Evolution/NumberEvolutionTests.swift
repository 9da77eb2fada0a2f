import Foundation
import StrataModels
import Testing

/// Numbers between types of other sizes and kinds: every digit arrives, or the row is named before anything runs.
@Suite("Evolution: numbers") struct NumberEvolutionTests {
    typealias Case = TypeEvolutionTests.Case
    typealias Types = TypeEvolutionTests
    enum Medium {
        @Model class Item {
            var value: Int32?
            init() {}
        }
    }
    enum Single {
        @Model class Item {
            var value: Float?
            init() {}
        }
    }

    static let fitting = [
        Case(Types.Small.Item.self, Medium.Item.self, "-32768, NULL", ["-32768", "nil"]),
        Case(Medium.Item.self, Types.Small.Item.self, "32767, -32768", ["32767", "-32768"]),
        Case(Medium.Item.self, Types.Whole.Item.self, "2147483647", ["2147483647"]),
        Case(Types.Whole.Item.self, Medium.Item.self, "-2147483648", ["-2147483648"]),
        Case(Types.Whole.Item.self, Single.Item.self, "16777216", ["16777216"]),
        Case(Medium.Item.self, Single.Item.self, "16777216", ["16777216"]),
        Case(
            Types.Whole.Item.self, Types.Real.Item.self,
            "9007199254740991, 1234567890123456, 1152921504606846976, -9223372036854775808, 9223372036854774784",
            [
                "9007199254740991", "1234567890123456", "1152921504606846976", "-9223372036854775808",
                "9223372036854774784",
            ]),
        Case(Single.Item.self, Types.Real.Item.self, "1.5, 'NaN', '-Infinity'", ["1.5", "NaN", "-Infinity"]),
        Case(Types.Real.Item.self, Single.Item.self, "2.5, 'NaN', 'Infinity', 0", ["2.5", "NaN", "Infinity", "0"]),
        Case(
            Types.Real.Item.self, Types.Money.Item.self, "1234567890123456.5, 0.1, 'NaN'",
            ["1234567890123456.5", "0.1", "NaN"]),
        Case(Single.Item.self, Types.Money.Item.self, "0.1::real, 16777217::real", ["0.1", "16777216"]),
        Case(
            Types.Money.Item.self, Types.Real.Item.self, "0.1, 1152921504606846976, 1e100, 'NaN', 0",
            ["0.1", "1152921504606846976", "1e+100", "NaN", "0"]),
        Case(Types.Money.Item.self, Single.Item.self, "0.5, 1073741824", ["0.5", "1073741824"]),
        Case(
            Types.Real.Item.self, Types.Whole.Item.self,
            "9007199254740993::double precision, -0.0, -9223372036854775808",
            ["9007199254740992", "0", "-9223372036854775808"]),
        Case(Single.Item.self, Types.Small.Item.self, "-32768::real", ["-32768"]),
        Case(Types.Money.Item.self, Medium.Item.self, "2147483647.00", ["2147483647"]),
        Case(Types.Text.Item.self, Single.Item.self, "'1.5', 'NaN'", ["1.5", "NaN"]),
        Case(Types.Text.Item.self, Medium.Item.self, "'-12'", ["-12"]),
        Case(Single.Item.self, Types.Text.Item.self, "0.1::real", ["0.1"]),
        Case(Types.Flag.Item.self, Types.Money.Item.self, "true", ["1"]),
        Case(Types.Real.Item.self, Types.Flag.Item.self, "1, 0", ["true", "false"]),
    ]

    /// Numbers are shown with all their digits, as integers where they are.
    @Test(arguments: fitting) func `numbers that fit are converted`(_ example: Case) async throws {
        let isWhole = example.to == Types.Real.Item.self || example.to == Single.Item.self
        let shown =
            isWhole
            ? """
            CASE WHEN abs(value) < 1e19 AND value = trunc(value) THEN value::double precision::bigint::text \
            ELSE value::text END
            """ : "value::text"
        try await Evolution([example.from], [example.to]).run(
            seed: example.seed, expecting: "SELECT \(shown) AS v FROM item ORDER BY pk", is: example.found,
            returning: .asPlanned)
    }

    static let offending = [
        Case(Medium.Item.self, Types.Small.Item.self, "-32769", []),
        Case(Types.Whole.Item.self, Medium.Item.self, "2147483648", []),
        Case(Medium.Item.self, Single.Item.self, "16777217", []),
        Case(Types.Whole.Item.self, Single.Item.self, "16777217", []),
        Case(Types.Whole.Item.self, Single.Item.self, "9223372036854775807", []),
        Case(Types.Whole.Item.self, Types.Real.Item.self, "9007199254740993", []),
        Case(Types.Whole.Item.self, Types.Real.Item.self, "9223372036854775807", []),
        Case(Types.Real.Item.self, Single.Item.self, "0.1::double precision", []),
        Case(Types.Real.Item.self, Single.Item.self, "1e300::double precision", []),
        Case(Types.Real.Item.self, Single.Item.self, "1e-300::double precision", []),
        Case(Types.Real.Item.self, Types.Whole.Item.self, "9223372036854775808::double precision", []),
        Case(Types.Real.Item.self, Types.Whole.Item.self, "1234567890123456.5::double precision", []),
        Case(Types.Real.Item.self, Types.Whole.Item.self, "'NaN'::double precision", []),
        Case(Types.Real.Item.self, Types.Whole.Item.self, "'-Infinity'::double precision", []),
        Case(Single.Item.self, Types.Small.Item.self, "32768::real", []),
        Case(Single.Item.self, Types.Small.Item.self, "'NaN'::real", []),
        Case(Types.Real.Item.self, Types.Money.Item.self, "'Infinity'::double precision", []),
        Case(Types.Real.Item.self, Types.Money.Item.self, "1e300::double precision", []),
        Case(Types.Real.Item.self, Types.Money.Item.self, "1e-300::double precision", []),
        Case(Types.Money.Item.self, Types.Real.Item.self, "9007199254740993::numeric", []),
        Case(Types.Money.Item.self, Types.Real.Item.self, "1e400::numeric", []),
        Case(Types.Money.Item.self, Types.Real.Item.self, "1e-400::numeric", []),
        Case(Types.Money.Item.self, Single.Item.self, "0.123456789::numeric", []),
        Case(Types.Money.Item.self, Single.Item.self, "1e39::numeric", []),
        Case(Types.Money.Item.self, Medium.Item.self, "2147483648::numeric", []),
        Case(Types.Text.Item.self, Types.Money.Item.self, "'Infinity'", []),
        Case(Types.Text.Item.self, Types.Money.Item.self, "'1234567890123456789012345678901234567891'", []),
        Case(Types.Text.Item.self, Types.Whole.Item.self, "'1.0'", []),
        Case(Types.Text.Item.self, Medium.Item.self, "'2147483648'", []),
        Case(Types.Text.Item.self, Single.Item.self, "'1e39'", []),
        Case(Types.Real.Item.self, Types.Flag.Item.self, "0.5::double precision", []),
    ]

    @Test(arguments: offending) func `numbers that do not fit are refused`(_ example: Case) async throws {
        try await Evolution([example.from], [example.to]).refuse(seed: example.seed, naming: "Item.value")
    }
}
