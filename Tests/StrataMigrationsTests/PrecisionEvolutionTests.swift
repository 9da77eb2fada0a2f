import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

enum PrecisionModels {
    enum Free {
        @Model class Price {
            var amount: Decimal = 0
            var rate: Decimal?
            init() {}
        }
    }
    enum Narrow {
        @Model class Price {
            @Attribute(.precision(6, scale: 2)) var amount: Decimal = 0
            @Attribute(.precision(4, scale: 3)) var rate: Decimal?
            init() {}
        }
    }
    /// More digits before the point, and as many as one likes. PostgreSQL would change its catalog alone, but not where a view, a check or a
    /// condition names the column: decision 0051.
    enum Wide {
        @Model class Price {
            @Attribute(.precision(12, scale: 2)) var amount: Decimal = 0
            var rate: Decimal?
            init() {}
        }
    }
    /// More digits behind the point.
    enum Finer {
        @Model class Price {
            @Attribute(.precision(12, scale: 4)) var amount: Decimal = 0
            @Attribute(.precision(4, scale: 3)) var rate: Decimal?
            init() {}
        }
    }
    enum NarrowRuled {
        @Model class Price {
            #Check<Price>("notFive") { $0.amount != 5 }
            #Unique<Price>([\.amount]) { $0.amount > 3 }
            @Attribute(.precision(6, scale: 2)) var amount: Decimal = 0
            @Attribute(.precision(4, scale: 3)) var rate: Decimal?
            init() {}
        }
    }
    enum WideRuled {
        @Model class Price {
            #Check<Price>("notFive") { $0.amount != 5 }
            #Unique<Price>([\.amount]) { $0.amount > 3 }
            @Attribute(.precision(12, scale: 2)) var amount: Decimal = 0
            @Attribute(.precision(4, scale: 3)) var rate: Decimal?
            init() {}
        }
    }
    enum Whole {
        @Model class Price {
            var amount: Int = 0
            init() {}
        }
    }
    enum OfWhole {
        @Model class Price {
            @Attribute(.precision(5, scale: 1)) var amount: Decimal = 0
            init() {}
        }
    }

    static let rows = [
        "INSERT INTO price (pk, amount, rate) VALUES (1, 12.34, 1.5), (2, -9999.99, NULL), (3, 'NaN', 0)"
    ]
}

/// Precisions of numbers that come, change and go.
@Suite("Evolution: precision") struct PrecisionEvolutionTests {
    private typealias M = PrecisionModels

    @Test func `wider is another column, as any new type, also under a rule and a condition`() async throws {
        for (narrow, wide) in [
            (M.Narrow.Price.self, M.Wide.Price.self), (M.NarrowRuled.Price.self, M.WideRuled.Price.self),
        ] as [(any PersistentModel.Type, any PersistentModel.Type)] {
            try await Evolution([narrow], [wide]).run(
                seed: M.rows, expecting: "SELECT amount, rate FROM price ORDER BY pk",
                is: ["12.34|1.500", "-9999.99|nil", "NaN|0.000"], returning: .asPlanned)
        }
    }

    @Test func `narrower is another column, behind a look at the rows`() async throws {
        try await Evolution([M.Wide.Price.self], [M.Narrow.Price.self]).run(
            seed: M.rows, expecting: "SELECT amount, rate FROM price ORDER BY pk",
            is: ["12.34|1.500", "-9999.99|nil", "NaN|0.000"], returning: .asPlanned)
        for (row, property) in [("10000, NULL", "Price.amount"), ("1, 1.2345", "Price.rate"), ("1, 10", "Price.rate")] {
            try await Evolution([M.Free.Price.self], [M.Narrow.Price.self]).refuse(
                seed: M.rows + ["INSERT INTO price (pk, amount, rate) VALUES (9, \(row))"], naming: property)
        }
    }

    @Test func `finer, and of whole numbers`() async throws {
        try await Evolution([M.Narrow.Price.self], [M.Finer.Price.self]).run(
            seed: M.rows, expecting: "SELECT amount FROM price ORDER BY pk", is: ["12.3400", "-9999.9900", "NaN"],
            returning: .asPlanned)
        let whole = try Evolution([M.Whole.Price.self], [M.OfWhole.Price.self])
        try await whole.run(
            seed: ["INSERT INTO price (pk, amount) VALUES (1, 9999), (2, -3)"],
            expecting: "SELECT amount FROM price ORDER BY pk", is: ["9999.0", "-3.0"], returning: .asPlanned)
        try await whole.refuse(seed: ["INSERT INTO price (pk, amount) VALUES (1, 10000)"], naming: "Price.amount")
    }
}
