import StrataMigrations
import StrataModels

/// What stands at the top of a stage's file.
struct FileHeader {
    let directives: [FileDirective]
    let file: String

    func entries(_ key: FileDirective.Key) -> [String] {
        directives.compactMap { if case .entry(key, let text) = $0.kind { text } else { nil } }
    }

    func line(_ key: FileDirective.Key) -> Int {
        directives.first { if case .entry(key, _) = $0.kind { true } else { false } }?.line ?? 1
    }

    /// `nil` where it says `nothing`.
    func version(_ key: FileDirective.Key) throws(MigrationError) -> StageScript.Version? {
        let text = try entry(key)
        if text == "nothing" { return nil }
        let words = DirectiveWord.split(text, where: { $0 == " " })
        guard words.count == 2, let version = Schema.Version(dotted: words[0]),
            let fingerprint = DirectiveWord.value(words[1])
        else { throw unreadable(key) }
        return StageScript.Version(version, fingerprint: fingerprint)
    }

    var newVersion: StageScript.Version {
        get throws(MigrationError) {
            guard let version = try version(.to) else { throw unreadable(.to) }
            return version
        }
    }

    var schemaName: String {
        get throws(MigrationError) {
            guard let name = DirectiveWord.value(try entry(.schema)) else { throw unreadable(.schema) }
            return name
        }
    }

    /// Without its steps, which stand in another file.
    var down: StageScript.Way {
        get throws(MigrationError) {
            try entry(.down) == "none" ? .none(reason: entries(.because).first ?? "") : .steps([], checks: [])
        }
    }

    var hasChecks: Bool {
        get throws(MigrationError) { try entry(.checks) != "none" }
    }

    /// Of a squashed file.
    var replaces: ClosedRange<Int>? {
        get throws(MigrationError) {
            guard let text = entries(.replaces).first else { return nil }
            let numbers = text.split(separator: ".").compactMap { Int($0) }
            guard numbers.count == 2, numbers[0] <= numbers[1] else { throw unreadable(.replaces) }
            return numbers[0]...numbers[1]
        }
    }

    private func entry(_ key: FileDirective.Key) throws(MigrationError) -> String {
        let entries = entries(key)
        guard let entry = entries.first, entries.count == 1 else {
            throw MigrationError(
                .usage, "The header must have one line “-- \(key.rawValue): …” and has \(entries.count).",
                places: ["\(file):\(line(key))"])
        }
        return entry
    }

    private func unreadable(_ key: FileDirective.Key) -> MigrationError {
        MigrationError(.usage, "The line “-- \(key.rawValue): …” cannot be read.", places: ["\(file):\(line(key))"])
    }
}
