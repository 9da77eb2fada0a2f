extension StageScript {
    /// The script as a file can hold it: one statement in each text, without comments around it (but with those to the
    /// linter), and nothing to run where a closure is.
    ///
    /// Throws ``MigrationError`` with the code `usage` for SQL that cannot be taken apart.
    package func clean() throws(MigrationError) -> StageScript {
        var script = self
        script.checks = try Self.clean(checks)
        script.steps = try Self.clean(steps)
        if case .steps(let steps, let checks) = down {
            script.down = .steps(try Self.clean(steps), checks: try Self.clean(checks))
        }
        return script
    }

    private static func clean(_ steps: [MigrationStep]) throws(MigrationError) -> [MigrationStep] {
        var steps = steps
        for index in steps.indices {
            if case .closure = steps[index].execution {
                steps[index].statements = []
                continue
            }
            var statements: [String] = []
            for text in steps[index].statements {
                let found = try SQLTokenizer.statements(of: text, file: "step \(steps[index].id)")
                statements += found.map(\.textForLint)
            }
            steps[index].statements = statements
        }
        return steps
    }

    private static func clean(_ checks: [DataCheck]) throws(MigrationError) -> [DataCheck] {
        var checks = checks
        for index in checks.indices {
            let found = try SQLTokenizer.statements(of: checks[index].query, file: "check \(checks[index].code)")
            guard let query = found.first, found.count == 1 else {
                throw MigrationError(.usage, "The check \(checks[index].code) is not one query.")
            }
            checks[index].query = query.textForLint
        }
        return checks
    }
}

extension TokenizedStatement {
    /// The text with the comments before it that the linter reads: `-- lint:allow L101 the table is new`.
    package var textForLint: String {
        (comments.map(\.text).filter { $0.hasPrefix("-- lint:") } + [text]).joined(separator: "\n")
    }
}
