/// Which old property each new one continues, for the rows of each class: what both ways between two versions are planned
/// from.
struct PropertyContinuations {
    typealias Subject = SchemaChange.Subject
    typealias RowClass = SchemaCorrespondence.RowClass

    /// An old property and the one that has its values from then on.
    struct Continuation {
        var old: Subject
        var new: Subject
        var rows: RowClass
    }

    private struct Key: Hashable {
        var property: Subject
        var oldClass: String
        var newClass: String
        var condition: String?

        init(_ property: Subject, _ rows: RowClass) {
            (self.property, oldClass, newClass) = (property, rows.old.name, rows.new.name)
            condition = rows.condition
        }
    }

    private(set) var all: [Continuation] = []
    private var sources: [Key: Subject] = [:]

    /// The first of two that a property continues for the same rows counts.
    mutating func add(_ continuation: Continuation) {
        let key = Key(continuation.new, continuation.rows)
        guard sources[key] == nil else { return }
        sources[key] = continuation.old
        all.append(continuation)
    }

    func source(of property: Subject, for rows: RowClass) -> Subject? { sources[Key(property, rows)] }
}
