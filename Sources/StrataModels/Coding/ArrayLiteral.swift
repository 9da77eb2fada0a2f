import Foundation
import StrataClient

/// An array that can be written in PostgreSQL's text form (manual 8.15.6), `{"a","b",NULL}`.
///
/// The rows of a save travel as one array a column, and PostgreSQL has no arrays of arrays of different lengths: a
/// column that is an array itself goes as text with a cast.
protocol ArrayLiteralConvertible {
    func arrayLiteral() throws(PostgresError) -> String
}

extension Array: ArrayLiteralConvertible {
    func arrayLiteral() throws(PostgresError) -> String {
        var text = "{"
        for (index, element) in enumerated() {
            if index > 0 { text += "," }
            text += try literalElement(element)
        }
        return text + "}"
    }
}

private func literalElement(_ value: Any) throws(PostgresError) -> String {
    switch value {
    case let value as String: quoted(value)
    case let value as Bool: value ? "t" : "f"
    case let value as any BinaryInteger: "\(value)"
    case let value as Double: floatLiteral(value)
    case let value as Float: floatLiteral(Double(value), shortest: "\(value)")
    case let value as Decimal: value.isNaN ? "NaN" : "\(value)"
    case let value as UUID: value.uuidString
    case let value as URL: quoted(value.absoluteString)
    case let value as Data:
        "\"\\\\x" + value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\""
    case let value as Date: try dateLiteral(value)
    case let value as CalendarDate: quoted(value.description)
    case let value as TimeOfDay: quoted(value.description)
    case let value as CalendarInterval: quoted(value.description)
    default:
        throw PostgresError(.encoding, "an array of \(type(of: value)) cannot be stored as a PostgreSQL array")
    }
}

private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
        result.unicodeScalars.append(scalar)
    }
    return result + "\""
}

private func floatLiteral(_ value: Double, shortest: String? = nil) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "Infinity" : "-Infinity" }
    return shortest ?? "\(value)"
}

/// The same microseconds as the binary form: taken from it, written as an offset to PostgreSQL's epoch.
private func dateLiteral(_ value: Date) throws(PostgresError) -> String {
    if value == .distantFuture { return "infinity" }
    if value == .distantPast { return "\"-infinity\"" }
    let microseconds = try value.postgresMicroseconds
    let (days, rest) = microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
    let day = rest < 0 ? days - 1 : days
    let inDay = rest < 0 ? rest + 86_400_000_000 : rest
    return "\"J\(day + 2_451_545) "
        + String(
            format: "%02d:%02d:%02d.%06d+00", Int(inDay / 3_600_000_000), Int(inDay / 60_000_000 % 60),
            Int(inDay / 1_000_000 % 60), Int(inDay % 1_000_000)) + "\""
}
