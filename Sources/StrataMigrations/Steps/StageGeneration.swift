/// What the files of a stage were generated from, and whether they are still what was generated.
///
/// It stands in the header, so that an edit of the plan and an edit of the files are told apart, and neither from what a
/// later library would write: `-- generated: <what the plan declared> <checksum of the texts>`.
package struct StageGeneration: Hashable, Sendable {
    /// Over what the plan declared for the stage; ``nothing`` where that was nothing.
    package var changes: String
    /// Whether somebody has edited the files since. A comment counts, too: writing them anew would lose it.
    package var isEdited: Bool

    static let nothing = "none"

    init(of stage: MigrationChain.Stage) {
        changes = stage.declaration
        isEdited = false
    }

    package init(changes: String, isEdited: Bool) {
        self.changes = changes
        self.isEdited = isEdited
    }
}

extension MigrationChain.Stage {
    /// Over what the stage declares, closures left out; lower-case hexadecimal, or ``StageGeneration/nothing``.
    ///
    /// The order of declarations says nothing, but that of statements among themselves does. Texts count by their tokens.
    package var declaration: String {
        guard !changes.isEmpty else { return StageGeneration.nothing }
        var digest = TokenDigest()
        digest.add(changes.filter { !$0.isStatement }.map(\.digest).sorted())
        digest.add(changes.filter(\.isStatement).map(\.digest))
        return digest.hex
    }
}

extension SchemaChange {
    fileprivate var isStatement: Bool { if case .sql = kind { true } else { false } }

    fileprivate var digest: String {
        let (words, text): ([String], String?) =
            switch kind {
            case .renamed(let old, let new): (["renamed", "\(old)", "\(new)"], nil)
            case .dropped(let old): (["dropped", "\(old)"], nil)
            case .consumed(let old): (["consumed", "\(old)"], nil)
            case .split(let new, let condition): (["split", new], condition)
            case .merged(let old, let remaining): (["merged", old, remaining], nil)
            case .converted(let new, let expression): (["converted", "\(new)"], expression)
            case .filled(let new, let expression): (["filled", "\(new)"], expression)
            case .sideBySide(let new): (["sideBySide", "\(new)"], nil)
            case .sql(let statement, let phase): (["sql", phase.rawValue], statement)
            }
        var digest = TokenDigest()
        digest.add(words)
        if let text { digest.add(sql: text) }
        return digest.hex
    }
}
