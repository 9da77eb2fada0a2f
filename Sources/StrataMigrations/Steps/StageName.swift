/// A stage, and which way it goes: what `strata.migration_step` and `strata.schema_version` call it.
///
/// What they hold is read here and nowhere else.
package struct StageName: Hashable, Sendable, CustomStringConvertible {
    package enum Direction: Hashable, Sendable {
        case forward, back
    }

    /// `0004_v3_v4`, as its files are called.
    package var stem: String
    package var direction: Direction

    package init(_ stem: String, _ direction: Direction = .forward) {
        self.stem = stem
        self.direction = direction
    }

    /// Reads what is recorded.
    package init(recorded text: String) {
        if text.hasSuffix(Self.back) {
            self.init(String(text.dropLast(Self.back.count)), .back)
        } else {
            self.init(text)
        }
    }

    /// What is recorded: `0004_v3_v4`, and `0004_v3_v4.down` for the way back.
    package var recorded: String { direction == .back ? stem + Self.back : stem }
    package var description: String { recorded }

    private static let back = ".down"
}

extension StageScript {
    package var stage: StageName { StageName(stem) }
    package var wayBack: StageName { StageName(stem, .back) }

    /// None where there is no way back.
    func steps(going direction: StageName.Direction) -> [MigrationStep] {
        switch (direction, down) {
        case (.forward, _): steps
        case (.back, .steps(let steps, _)): steps
        case (.back, .none): []
        }
    }
}
