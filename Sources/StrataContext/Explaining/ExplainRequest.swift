package import StrataModels
import StrataRepository

/// A query whose plan is asked for, and how: what the forms of `explain` have in common.
package struct ExplainRequest<T: PersistentModel> {
    let descriptor: FetchDescriptor<T>
    let query: ExplainedQuery
    /// Whether the server carries the query out.
    let analyze: Bool
    /// Whether the server reads indexes where it can.
    let avoidsSequentialScans: Bool

    private init(_ descriptor: FetchDescriptor<T>, _ query: ExplainedQuery, _ analyze: Bool, _ avoids: Bool) {
        self.descriptor = descriptor
        self.query = query
        self.analyze = analyze
        avoidsSequentialScans = avoids
    }
}

extension ExplainRequest {
    /// A fetch of objects.
    package static func objects(_ descriptor: FetchDescriptor<T>, analyze: Bool, avoidsSequentialScans: Bool) -> Self {
        Self(descriptor, .objects, analyze, avoidsSequentialScans)
    }

    /// A count of objects.
    package static func count(_ descriptor: FetchDescriptor<T>, analyze: Bool, avoidsSequentialScans: Bool) -> Self {
        Self(descriptor, .count, analyze, avoidsSequentialScans)
    }

    /// A fetch of values or groups.
    package static func values<each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, _ columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = [], isDistinct: Bool = false,
        analyze: Bool, avoidsSequentialScans: Bool
    ) -> Self {
        let query = ModelContext.valueQuery((repeat each columns), condition, order, isDistinct: isDistinct)
        return Self(descriptor, .values(query), analyze, avoidsSequentialScans)
    }

    /// A page of objects behind a cursor.
    package static func page(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor?, size: Int, analyze: Bool,
        avoidsSequentialScans: Bool
    ) throws -> Self {
        let request = try PageRequest(cursor, .forward, size: size)
        return Self(descriptor, .page(request), analyze, avoidsSequentialScans)
    }

    /// A page of objects before a cursor.
    package static func page(
        _ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int, analyze: Bool,
        avoidsSequentialScans: Bool
    ) throws -> Self {
        let request = try PageRequest(cursor, .backward, size: size)
        return Self(descriptor, .page(request), analyze, avoidsSequentialScans)
    }

    /// A page of values behind a cursor.
    package static func valuePage<each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, _ columns: repeat QueryColumn<T, each Value>, after cursor: PageCursor?,
        size: Int, analyze: Bool, avoidsSequentialScans: Bool
    ) throws -> Self {
        let query = ModelContext.valueQuery((repeat each columns))
        let request = try PageRequest(cursor, .forward, size: size)
        return Self(descriptor, .valuePage(query, request), analyze, avoidsSequentialScans)
    }

    /// A page of values before a cursor.
    package static func valuePage<each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, _ columns: repeat QueryColumn<T, each Value>, before cursor: PageCursor?,
        size: Int, analyze: Bool, avoidsSequentialScans: Bool
    ) throws -> Self {
        let query = ModelContext.valueQuery((repeat each columns))
        let request = try PageRequest(cursor, .backward, size: size)
        return Self(descriptor, .valuePage(query, request), analyze, avoidsSequentialScans)
    }
}
