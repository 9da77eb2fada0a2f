package import StrataClient
package import StrataModels

/// Where periods begin and end: at midnight in UTC, as `date_trunc` has it.
extension Schema.PartitionPeriod {
    private static let perDay: Int64 = 86_400_000_000

    /// The beginning of the period that a moment is in.
    package func start(of moment: PostgresTimestamp) -> PostgresTimestamp {
        let (quotient, rest) = moment.microseconds.quotientAndRemainder(dividingBy: Self.perDay)
        let day = rest < 0 ? quotient - 1 : quotient
        let (year, month, _) = GregorianDay.components(daysSince2000: day)
        return switch self {
        case .day: Self.midnight(day)
        // 3 January 2000 was a Monday.
        case .week: Self.midnight(day - ((day - 2) % 7 + 7) % 7)
        case .month: Self.midnight(GregorianDay.daysSince2000(year: year, month: month, day: 1))
        case .year: Self.midnight(GregorianDay.daysSince2000(year: year, month: 1, day: 1))
        }
    }

    /// The end of the period that a moment is in, which is where the next one begins.
    package func end(of moment: PostgresTimestamp) -> PostgresTimestamp {
        let day = start(of: moment).microseconds / Self.perDay
        let (year, month, _) = GregorianDay.components(daysSince2000: day)
        return switch self {
        case .day: Self.midnight(day + 1)
        case .week: Self.midnight(day + 7)
        case .month:
            Self.midnight(
                GregorianDay.daysSince2000(
                    year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1))
        case .year: Self.midnight(GregorianDay.daysSince2000(year: year + 1, month: 1, day: 1))
        }
    }

    private static func midnight(_ day: Int64) -> PostgresTimestamp {
        PostgresTimestamp(microseconds: day * perDay)
    }

    /// The period that a moment is in, for messages: `2026`, `2026-11`, or the day that it begins on.
    package func name(of moment: PostgresTimestamp) -> String {
        let day = start(of: moment).description.prefix { $0 != "T" }
        return switch self {
        case .day: String(day)
        case .week: "the week of \(day)"
        case .month: String(day.dropLast(3))
        case .year: String(day.dropLast(6))
        }
    }
}
