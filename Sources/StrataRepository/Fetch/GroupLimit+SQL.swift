import StrataClient
import StrataModels

extension GroupLimit {
    /// The objects that are among the first of their group: a condition on their keys.
    ///
    /// - Parameters:
    ///   - condition: on the objects that are counted at all.
    ///   - order: which ones are the first.
    func condition(
        _ condition: SQLFragment?, order: [SortTerm], _ translator: PredicateTranslator, _ scope: TableScope
    ) throws -> SQLFragment {
        guard count > 0 else {
            throw SwiftDataError(
                .unsupportedFeature, "The groupLimit of a descriptor for \(Root.self) is \(count); it is one at least.")
        }
        let groups = try keys.flatMap { key in
            guard key.role == .key || key.role == .value, let argument = try translator.argument(key, on: scope) else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "The groupLimit of a descriptor for \(Root.self) names an aggregate, by which no object belongs to a group. Name "
                        + "properties, or .key(…).")
            }
            return argument.expressions.map(\.sql)
        }
        let terms = (order.map { $0.sql() } + scope.keyOrder).joined(separator: ", ")
        let partition: SQLFragment =
            groups.isEmpty ? "" : "PARTITION BY \(groups.joined(separator: ", ")) "
        // Whatever is asked for later needs no table in here.
        let rows: SQLFragment = "\(scope.from)\(condition.map { " WHERE \($0)" as SQLFragment } ?? "")"
        return scope.isKey(
            in: """
                SELECT g.pk FROM (SELECT \(scope.key()) AS pk, row_number() OVER (\(partition)ORDER BY \(terms)) AS place \
                \(rows)) AS g WHERE g.place <= \(bind: Int64(count))
                """)
    }
}
