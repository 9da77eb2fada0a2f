import StrataRepository

/// Positions for links that had none, by key, owner by owner.
struct OrderLinks: RowOperation {
    /// `Trip.stops`.
    var relationship: String
    /// The table whose keys are walked.
    var owners: String
    var key: String
    /// The table with the positions.
    var holder: String
    var own: String
    var other: String
    var position: String

    var kind: MigrationOperation { .orderLinks }
    var title: String { "order \(relationship) by key" }
    var tables: [String] { [holder] }
    var walked: (table: String, key: String) { (owners, key) }

    /// The distance that a save puts between objects that are appended.
    private static let positionStep = Int64(1) << 32

    func statements(_ sql: SchemaSQL) -> [String] {
        let table = sql.table(holder)
        let (own, other, position) = (sql.quoted(own), sql.quoted(other), sql.quoted(position))
        return [
            """
            UPDATE \(table) AS t SET \(position) = s.place * \(Self.positionStep)
            FROM (
                SELECT r.\(own) AS own, r.\(other) AS other,
                    row_number() OVER (PARTITION BY r.\(own) ORDER BY r.\(other)) AS place,
                    count(r.\(position)) OVER (PARTITION BY r.\(own)) AS positions
                FROM \(table) AS r WHERE \(sql.range(self.own, of: holder, as: "r"))
            ) AS s
            WHERE t.\(own) = s.own AND t.\(other) = s.other AND s.positions = 0
            """
        ]
    }
}
