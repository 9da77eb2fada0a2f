/// One statement with its parameters.
package struct PostgresStatement: Sendable {
    package private(set) var sql: PreparedSQL
    package var parameters: PostgresParameters
    /// For logs and errors.
    package var name: String?
    /// The class whose rows it is about, for metrics and traces; `nil` where there is none, or several.
    package var entity: String?
    /// Whether it is known to store nothing: Strata has written it, and it only reads, or sets something for its transaction. What a caller's
    /// SQL does is not known from outside, as a function that it calls may write.
    package var storesNothing = false

    package init(
        _ sql: PreparedSQL, parameters: PostgresParameters = PostgresParameters(), name: String? = nil,
        entity: String? = nil
    ) {
        self.sql = sql
        self.parameters = parameters
        self.name = name
        self.entity = entity
    }

    /// A statement by its text, which is shared with all others of the same text.
    package init(
        _ text: String, parameters: PostgresParameters = PostgresParameters(), name: String? = nil,
        entity: String? = nil
    ) {
        self.init(PreparedSQL.interned(text), parameters: parameters, name: name, entity: entity)
    }

    /// The same with another text.
    func withSQL(_ sql: PreparedSQL) -> PostgresStatement {
        var statement = self
        statement.sql = sql
        return statement
    }

    /// The same, known to store nothing.
    package var storingNothing: PostgresStatement {
        var statement = self
        statement.storesNothing = true
        return statement
    }
}
