import Foundation

/// The measurements as text: a line each, and a line each bar.
enum Table {
    static let heading =
        row(["", "work", "size", "libpq", "best", "Strata", "best", "ratio", "of best", "CPU", "memory MB", "trips"])

    static func lines(_ measurement: Measurement) -> [String] {
        let plain = measurement.plain
        var lines = [
            row([
                measurement.name, measurement.title, measurement.size.map { "\($0)" } ?? "",
                number(plain?.median, measurement.unit), number(plain?.best, ""),
                number(measurement.strata.median, measurement.unit), number(measurement.strata.best, ""),
                ratio(measurement.ratio), ratio(measurement.ratioOfFastest), ratio(measurement.ratioOfProcessor),
                both(plain?.growth.map(megabytes), measurement.strata.growth.map(megabytes)),
                both(
                    measurement.plainRoundTrips.map { "\($0)" }, measurement.roundTrips.map { "\($0)" }),
            ])
        ]
        if let own = measurement.strata.processor, let release = measurement.strata.release {
            let other = plain?.processor.map { String(format: "libpq %.1f, ", $0) } ?? ""
            lines.append(
                "        processor time, ms: \(other)"
                    + String(format: "Strata %.1f, and %.1f to let the result go", own, release))
        }
        if let p50 = measurement.strata.p50, let p99 = measurement.strata.p99 {
            let other = plain.flatMap { plain in
                plain.p50.flatMap { p50 in plain.p99.map { String(format: "libpq %.0f / %.0f, ", p50, $0) } }
            }
            lines.append(
                "        p50 / p99 of an operation, µs: \(other ?? "")" + String(format: "Strata %.0f / %.0f", p50, p99)
            )
        }
        for bar in measurement.bars {
            let relation = bar.isUpper ? "≤" : "≥"
            lines.append(
                "     \(bar.holds ? "✓" : "✗") \(bar.what) \(short(bar.value)) \(relation) \(short(bar.limit))")
        }
        return lines + measurement.notes.map { "        \($0)" }
    }

    private static let widths = [-5, -40, 8, 12, 9, 12, 9, 7, 8, 6, 13, 8]

    private static func row(_ cells: [String]) -> String {
        zip(cells, widths).map { cell, width in
            let padding = String(repeating: " ", count: max(0, abs(width) - cell.count))
            return width < 0 ? cell + padding : padding + cell
        }.joined(separator: " ")
    }

    private static func number(_ value: Double?, _ unit: String) -> String {
        guard let value else { return "" }
        return short(value) + (unit.isEmpty ? "" : " \(unit)")
    }

    static func short(_ value: Double) -> String {
        String(
            format: abs(value) >= 1000 ? "%.0f" : abs(value) >= 100 ? "%.1f" : abs(value) >= 0.1 ? "%.2f" : "%.4f",
            value)
    }

    private static func ratio(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "" }

    private static func megabytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1_048_576) }

    private static func both(_ plain: String?, _ strata: String?) -> String {
        strata.map { "\(plain ?? "") \($0)" } ?? ""
    }
}
