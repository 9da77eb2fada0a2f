import StrataClient
import StrataRepository

extension DataCheck {
    /// Asks for the collation by which a version has texts unique regardless of case; `nil` where the tables that are there have such texts, or none
    /// has.
    static func caselessTexts(_ new: DatabaseDefinition, after old: DatabaseDefinition? = nil) -> DataCheck? {
        let places = new.caselessTexts
        guard !places.isEmpty, old?.caselessTexts.isEmpty != false else { return nil }
        let collation = SQLFragment.literal(CaselessText.collation)
        return DataCheck(
            code: "M208",
            title:
                "\(places.joined(separator: ", ")): unique regardless of case, by a collation that the database does not have",
            remedy: PostgresError.caselessRemedy,
            query: """
                SELECT \(collation), 'is in no row of pg_collation' WHERE NOT EXISTS (
                    SELECT 1 FROM pg_catalog.pg_collation WHERE collname = \(collation) AND collnamespace = 'pg_catalog'::regnamespace AND collencoding IN (-1, (
                        SELECT encoding FROM pg_catalog.pg_database WHERE datname = current_database())))
                """)
    }
}

extension DatabaseDefinition {
    /// `user.email`, for each text that is unique regardless of case.
    fileprivate var caselessTexts: [String] {
        tables.flatMap { table in
            table.indexes.flatMap { index in
                index.keys.filter { $0.fold == .caseless }.map { "\(table.name).\($0.column)" }
            }
        }
    }
}
