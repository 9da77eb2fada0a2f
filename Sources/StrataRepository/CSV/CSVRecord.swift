/// One record of a CSV file: its fields, and where it begins.
package struct CSVRecord {
    /// From 1.
    package var line: Int
    /// `nil` for a field without text and without quotes.
    package var fields: [String?] = []
}
