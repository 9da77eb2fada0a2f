import StrataClient

/// What the text of an `UPDATE` calls the values of a group: columns of a table of rows, or of a single row the parameters
/// themselves, which the server looks up by its key without a join.
struct UpdateValues {
    /// The key of the row.
    let key: String
    /// What is written, each in the type of its column.
    let written: [String]
    /// The same as the server makes them: of columns in somebody else's table that round, or fill with blanks.
    let rounded: [String]
    /// The old values that are compared, as the server has made them.
    let old: [String]
    /// ` FROM unnest($1::bigint[], $2::text[]) AS u(pk, n0)`; nothing for a single row.
    let source: String

    init(_ group: UpdateGroup) {
        let isSingle = group.models.count == 1
        func name(_ place: Int, _ many: String) -> String {
            isSingle ? "$\(1 + place)::\(group.buffers[place].elementType)" : "u.\(many)"
        }
        func typed(_ name: String, _ column: Column?) -> String {
            guard let column, column.type != column.transportType else { return name }
            return "\(name)::\(column.type)"
        }
        key = name(0, "pk")
        let names = Self.names(of: group)
        let new = group.layout.written.map { typed(name($0.place, names[$0.place]), $0.column) }
        written = zip(new, group.layout.written).map { group.owner.asWritten($0, in: $1.column) }
        rounded = zip(new, group.layout.written).map { group.owner.asStored($0, in: $1.column) }
        old = group.checked.enumerated().map {
            let column = group.owner.columns[$1]
            return group.owner.asStored(typed(name(1 + group.slots.count + $0, "o\($0)"), column), in: column)
        }
        let columns = names.enumerated().map { ($1, group.buffers[$0].elementType) }
        source = isSingle ? "" : " FROM \(RowSource.rows(columns, firstParameter: 1))"
    }

    private static func names(of group: UpdateGroup) -> [String] {
        ["pk"] + group.slots.indices.map { "n\($0)" } + group.checked.indices.map { "o\($0)" }
            + group.layout.parked.indices.map { "p\($0)" }
    }

    /// `unnest($1::bigint[], $2::text[]) AS u(pk, n0)`: the key, the new values, the old ones, then those that rows
    /// are parked with.
    static func rows(of group: UpdateGroup, _ parameters: inout PostgresParameters) throws -> String {
        try RowSource.append(names(of: group).enumerated().map { ($1, group.buffers[$0]) }, to: &parameters)
    }
}
