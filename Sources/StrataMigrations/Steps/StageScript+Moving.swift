extension StageScript {
    /// The same stage for another PostgreSQL schema: what a file says of one is done in a tenant's.
    ///
    /// Throws ``MigrationError`` with the code `usage` for SQL that cannot be taken apart.
    package func moved(to schemaName: String) throws(MigrationError) -> StageScript {
        let exchange = SchemaExchange(self.schemaName, by: schemaName)
        var script = self
        script.schemaName = schemaName
        script.checks = try Self.moved(checks, exchange)
        script.steps = try Self.moved(steps, exchange)
        if case .steps(let steps, let checks) = down {
            script.down = .steps(try Self.moved(steps, exchange), checks: try Self.moved(checks, exchange))
        }
        return script
    }

    private static func moved(
        _ steps: [MigrationStep], _ exchange: SchemaExchange
    ) throws(MigrationError) -> [MigrationStep] {
        var steps = steps
        for index in steps.indices {
            steps[index].statements = try moved(steps[index].statements, exchange)
            steps[index].undo = try moved(steps[index].undo, exchange)
            if let done = steps[index].done { steps[index].done = try exchange.text(of: done) }
        }
        return steps
    }

    private static func moved(
        _ checks: [DataCheck], _ exchange: SchemaExchange
    ) throws(MigrationError) -> [DataCheck] {
        var checks = checks
        for index in checks.indices { checks[index].query = try exchange.text(of: checks[index].query) }
        return checks
    }

    private static func moved(_ texts: [String], _ exchange: SchemaExchange) throws(MigrationError) -> [String] {
        var moved: [String] = []
        for text in texts { moved.append(try exchange.text(of: text)) }
        return moved
    }
}
