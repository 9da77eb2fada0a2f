/// Classes that require each other.
extension ModelPlanner {
    /// Of each circle of required references makes one optional: no first object could be made, and no schema is opened that has one. The server
    /// goes on requiring it; both objects are saved together.
    mutating func openCircles() {
        var done: Set<String> = []
        for table in classTables.map(\.name) { openCircles(from: table, [], &done) }
    }

    /// - Parameter path: the tables on the way here, each with its reference that leads to the next.
    private mutating func openCircles(
        from table: String, _ path: [(table: String, reference: Reference)], _ done: inout Set<String>
    ) {
        guard !done.contains(table) else { return }
        for reference in required(by: table) {
            let path = path + [(table, reference)]
            // An object of the target's, or of a class below it, is on the way already.
            if let start = path.firstIndex(where: { chain(of: $0.table).contains(reference.target) }) {
                // The one that closes the circle. Of a reference by columns of others nothing could say that there is none.
                let circle = path[start...].map(\.reference)
                // It is none where another one has opened a reference of it.
                guard !circle.contains(where: isOptional), let opened = circle.last(where: { !$0.owned.isEmpty }) else {
                    continue
                }
                makeOptional(opened)
            } else {
                openCircles(from: reference.target, path, &done)
            }
        }
        done.insert(table)
    }

    /// The table's and those above it.
    private func chain(of table: String) -> [String] { [table] + (roles.parent(of: table).map(chain) ?? []) }

    private func required(by table: String) -> [Reference] {
        let chain = chain(of: table)
        return references.filter { reference in
            chain.contains(reference.source)
                && !isOptional(reference)
        }
        .sorted { ($0.source, $0.column) < ($1.source, $1.column) }
    }

    private func isOptional(_ reference: Reference) -> Bool {
        drafts[reference.source]?.model.properties.first { $0.name == reference.property }?.isOptional != false
    }

    private mutating func makeOptional(_ reference: Reference) {
        guard let draft = drafts[reference.source],
            let index = draft.model.properties.firstIndex(where: { $0.name == reference.property })
        else { return }
        // As of every end to one whose other end is optional too: the one that names its column has it.
        if isOneToOne(reference.columns, of: draft.table), draft.model.properties[index].arguments.isEmpty {
            drafts[reference.source]?.model.properties[index].arguments.append(
                reference.columns.count == 1
                    ? "column: \(SwiftDefault.quoted(reference.columns[0]))"
                    : "columns: [\(reference.columns.map(SwiftDefault.quoted).joined(separator: ", "))]")
        }
        drafts[reference.source]?.model.properties[index].type += "?"
        drafts[reference.source]?.model.properties[index].remarks.append(
            "Required in the database, as is the way back: set both before they are saved.")
        note(
            reference.source, reference.column,
            "it is required, and so is the way back: the property is optional, so that a first object can be made")
    }
}
