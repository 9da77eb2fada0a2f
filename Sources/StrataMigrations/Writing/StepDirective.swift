/// The line that says how a step is run: `-- step 4.5 phase=backfill tx=batches(trip,pk,10000) lock=RowExclusive …`.
package enum StepDirective {
    package static func text(_ step: MigrationStep) -> String {
        var words = [
            "-- step", DirectiveWord.text(step.id), "phase=\(step.phase.rawValue)", "tx=\(text(step.execution))",
            "lock=\(step.lock.rawValue)",
        ]
        if !step.tables.isEmpty { words.append("tables=\(DirectiveWord.list(step.tables))") }
        if !step.columns.isEmpty { words.append("columns=\(DirectiveWord.list(step.columns))") }
        words.append("lock_timeout=\(DirectiveWord.duration(step.lockTimeout))")
        words.append("timeout=\(DirectiveWord.duration(step.statementTimeout))")
        if step.history == .off { words.append("history=off") }
        if let index = step.index { words.append("index=\(DirectiveWord.text(index))") }
        return words.joined(separator: " ")
    }

    private static func text(_ execution: MigrationStep.Execution) -> String {
        switch execution {
        case .transaction: "own"
        case .alone: "none"
        case .batches(let table, let key, let size, .integer): "batches(\(DirectiveWord.list([table, key, "\(size)"])))"
        case .batches(let table, let key, let size, let kind):
            "batches(\(DirectiveWord.list([table, key, "\(size)", kind.type.description])))"
        case .closure(let closure): "closure(\(closure.rawValue))"
        case .verify: "verify"
        }
    }

    /// The step without what stands on other lines.
    package static func step(_ words: [String], place: String) throws(MigrationError) -> MigrationStep {
        guard let id = words.first.flatMap({ DirectiveWord.value($0) }) else {
            throw MigrationError(.usage, "A step has no number.", places: [place], remedy: remedy)
        }
        var step = MigrationStep(id: id, phase: .expand, title: "", statements: [])
        var seen: Set<String> = []
        for word in words.dropFirst() {
            guard let equals = word.firstIndex(of: "=") else { throw unreadable(word, id, place) }
            let key = String(word[..<equals])
            let value = word[word.index(after: equals)...]
            guard seen.insert(key).inserted, set(key, value, in: &step) else { throw unreadable(word, id, place) }
        }
        for key in ["phase", "tx"] where !seen.contains(key) {
            throw MigrationError(.usage, "Step \(id) does not say \(key)=….", places: [place], remedy: remedy)
        }
        return step
    }

    /// The step that the ledger remembers, as far as this release understands it: a later one may write more words.
    static func recorded(_ text: String) -> MigrationStep? {
        let words = DirectiveWord.split(text) { $0 == " " }
        guard words.first == "step", words.count > 1 else { return nil }
        var step = MigrationStep(id: words[1], phase: .expand, title: "", statements: [])
        for word in words.dropFirst(2) {
            guard let equals = word.firstIndex(of: "=") else { continue }
            _ = set(String(word[..<equals]), word[word.index(after: equals)...], in: &step)
        }
        return step
    }

    /// Whether key and value mean something.
    private static func set(_ key: String, _ value: Substring, in step: inout MigrationStep) -> Bool {
        switch key {
        case "phase":
            guard let phase = MigrationPhase(rawValue: String(value)) else { return false }
            step.phase = phase
        case "tx":
            guard let execution = execution(value) else { return false }
            step.execution = execution
        case "lock":
            guard let lock = MigrationStep.Lock(rawValue: String(value)) else { return false }
            step.lock = lock
        case "tables":
            guard let tables = DirectiveWord.values(value) else { return false }
            step.tables = tables
        case "columns":
            guard let columns = DirectiveWord.values(value) else { return false }
            step.columns = columns
        case "lock_timeout":
            guard let milliseconds = DirectiveWord.milliseconds(value) else { return false }
            step.lockTimeout = milliseconds
        case "timeout":
            guard let milliseconds = DirectiveWord.milliseconds(value) else { return false }
            step.statementTimeout = milliseconds
        case "history":
            guard let history = MigrationStep.History(rawValue: String(value)) else { return false }
            step.history = history
        case "index":
            guard let index = DirectiveWord.value(value) else { return false }
            step.index = index
        default: return false
        }
        return true
    }

    private static func execution(_ text: Substring) -> MigrationStep.Execution? {
        switch text {
        case "own": return .transaction
        case "none": return .alone
        case "verify": return .verify
        default: break
        }
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "("),
            let arguments = DirectiveWord.values(text[text.index(after: open)...].dropLast())
        else { return nil }
        switch text[..<open] {
        case "batches":
            guard arguments.count >= 3, let size = Int(arguments[2]) else { return nil }
            switch arguments[3...] {
            case []: return .batches(table: arguments[0], key: arguments[1], size: size)
            case ["uuid"]: return .batches(table: arguments[0], key: arguments[1], size: size, kind: .uuid)
            case ["text"]: return .batches(table: arguments[0], key: arguments[1], size: size, kind: .text)
            default: return nil
            }
        case "closure":
            guard arguments.count == 1, let closure = StageClosure(rawValue: arguments[0]) else { return nil }
            return .closure(closure)
        default: return nil
        }
    }

    private static func unreadable(_ word: String, _ id: String, _ place: String) -> MigrationError {
        MigrationError(
            .usage, "Step \(id): “\(word)” means nothing, or stands twice.", places: [place], remedy: remedy)
    }

    private static let remedy =
        "write -- step 4.1 phase=expand|backfill|contract tx=own|none|batches(table,key,10000)|batches(table,key,10000,uuid)|batches(table,key,10000,text)|verify lock=… tables=… "
        + "lock_timeout=2s timeout=60s"
}
