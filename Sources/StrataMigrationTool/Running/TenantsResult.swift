import StrataMigrations

/// What came of a command for one tenant: its result, or why there is none.
struct TenantOutcome: Encodable, Sendable {
    enum Content: Sendable {
        case result(any CommandResult)
        case failure(MigrationError)
    }

    var tenant: String
    var content: Content

    var code: MigrationError.Code? {
        switch content {
        case .result(let result): result.code
        case .failure(let error): error.code
        }
    }

    /// A tenant that could not be worked on is worse than whatever was found of another; an error that nobody foresaw is worst.
    var severity: Int32 {
        guard let code else { return 0 }
        if code == .unexpected { return .max }
        if case .failure = content { return 1000 + code.exitCode }
        return code.exitCode
    }

    private enum Key: String, CodingKey {
        case tenant, code, message, places, fix, sqlState
    }

    /// The result's own keys beside `tenant` and `code`; of a failure what a command that fails writes.
    func encode(to encoder: any Encoder) throws {
        if case .result(let result) = content { try result.encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(tenant, forKey: .tenant)
        try container.encode(code?.rawValue ?? "ok", forKey: .code)
        guard case .failure(let error) = content else { return }
        try container.encode(error.message, forKey: .message)
        try container.encode(error.places, forKey: .places)
        try container.encodeIfPresent(error.remedy, forKey: .fix)
        try container.encodeIfPresent(error.sqlState, forKey: .sqlState)
    }

    func text(_ style: TextStyle) -> [String] {
        let name = style.bold(tenant)
        switch content {
        case .result(let result): return result.text(style).map { "\(name)  \($0)" }
        case .failure(let error):
            var lines = ["\(name)  " + style.red("error[\(error.code.rawValue)]") + ": " + error.message]
            lines += error.places.map { "\(name)    --> " + $0 }
            if let remedy = error.remedy { lines.append("\(name)    " + style.green("fix") + ": " + remedy) }
            return lines
        }
    }
}

/// What came of a command for many tenants. It ends with the worst code: that of a failure before that of a finding, and of each the greatest.
struct TenantsResult: CommandResult {
    /// What was done: `applied to`.
    private let verb: String
    var tenants: [TenantOutcome]

    private enum CodingKeys: String, CodingKey { case tenants }

    init(verb: String, tenants: [TenantOutcome]) {
        (self.verb, self.tenants) = (verb, tenants)
    }

    var code: MigrationError.Code? { tenants.filter { $0.code != nil }.max { $0.severity < $1.severity }?.code }

    var isConfirmation: Bool {
        tenants.allSatisfy {
            if case .result(let result) = $0.content { result.isConfirmation } else { false }
        }
    }

    var annotations: [Annotation] {
        tenants.flatMap { outcome -> [Annotation] in
            switch outcome.content {
            case .result(let result):
                return result.annotations.map {
                    Annotation(
                        $0.level, file: $0.file, line: $0.line, title: "\(outcome.tenant): \($0.title)",
                        message: $0.message)
                }
            case .failure(let error):
                return [Annotation(.error, title: "\(outcome.tenant): \(error.code.rawValue)", message: error.message)]
            }
        }
    }

    func text(_ style: TextStyle) -> [String] {
        guard !tenants.isEmpty else { return ["There are no tenants."] }
        let unwell = tenants.filter { $0.code != nil }
        let lines = tenants.flatMap { $0.text(style) }
        let count = (tenants.count - unwell.count).grouped + " of " + tenants.count.counted("tenant")
        guard !unwell.isEmpty else { return lines + [style.green("\(count): \(verb), all well.")] }
        let names = unwell.prefix(20).map(\.tenant).joined(separator: ",")
        return lines + [
            style.red("\(count) are well; not well: \(names)\(unwell.count > 20 ? " and others" : "")."),
            "What is done stays done: the same command goes on, and --tenants \(names) takes these alone.",
        ]
    }
}
