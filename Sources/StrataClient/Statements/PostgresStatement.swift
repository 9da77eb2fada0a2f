/// One statement with its parameters.
package struct PostgresStatement: Sendable {
    package let sql: PreparedSQL
    package var parameters: PostgresParameters
    /// For logs and errors.
    package var name: String?
    /// The class whose rows it is about, for metrics and traces; `nil` where there is none, or several.
    package var entity: String?

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
}
