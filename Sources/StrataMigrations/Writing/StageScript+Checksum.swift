extension StageScript {
    /// What is checked and run, in which order and between which versions; lower-case hexadecimal.
    package var checksum: String {
        var digest = TokenDigest()
        digest.add([stem, Self.text(from), Self.text(to), schemaName])
        Self.add(checks, to: &digest)
        digest.add(steps.map(\.checksum))
        if case .steps(let steps, let checks) = down {
            digest.add("down")
            Self.add(checks, to: &digest)
            digest.add(steps.map(\.checksum))
        }
        return digest.hex
    }

    private static func text(_ version: Version?) -> String {
        version.map { "\($0.version) \($0.fingerprint)" } ?? "nothing"
    }

    private static func add(_ checks: [DataCheck], to digest: inout TokenDigest) {
        digest.add("\(checks.count)")
        for check in checks {
            digest.add(check.code)
            digest.add(sql: check.query)
        }
    }
}
