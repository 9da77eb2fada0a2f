package import StrataClient
import StrataModels

/// The query whose plan is asked for.
package enum ExplainedQuery {
    case objects
    case count
    case values(ValueQuery)
    case page(PageRequest)
    case valuePage(ValueQuery, PageRequest)

    /// What the query reads.
    package var reading: FetchReading {
        switch self {
        case .objects, .page: .objects
        case .count, .values, .valuePage: .keys
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
            case .count: try count()
            case .values(let query): try values(query).statement
            case .page(let request): try page(request).statement
            case .valuePage(let query, let request): try page(of: query, request).statement
            }
        let options = analyze ? "ANALYZE, BUFFERS, " : ""
        let explanation = PostgresStatement(
            "EXPLAIN (\(options)FORMAT JSON) \(explained.sql.text)", parameters: explained.parameters,
            name: "explain \(entity.name)", entity: entity.name)
        return (explanation, explained.sql.text)
    }
}
