package import StrataClient
import StrataModels

/// The query whose plan is asked for.
package enum ExplainedQuery {
    case objects
    case values(ValueQuery)
    case page(PageRequest)

    /// What the query reads.
    package var reading: FetchReading {
        switch self {
        case .objects, .page: .objects
        case .values: .keys
        }
    }
}

extension FetchPlan {
    /// The statement that explains another one, and the text of that.
    ///
    /// - Parameter analyze: whether the server carries it out too.
    package func explanation(
        of query: ExplainedQuery, analyze: Bool
    ) throws -> (explanation: PostgresStatement, sql: String) {
        let explained =
            switch query {
            case .objects: try objects().statement
            case .values(let query): try values(query).statement
            case .page(let request): try page(request).statement
            }
        let options = analyze ? "ANALYZE, BUFFERS, " : ""
        let explanation = PostgresStatement(
            "EXPLAIN (\(options)FORMAT JSON) \(explained.sql.text)", parameters: explained.parameters,
            name: "explain \(entity.name)", entity: entity.name)
        return (explanation, explained.sql.text)
    }
}
