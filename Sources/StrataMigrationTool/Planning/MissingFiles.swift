import StrataMigrations

/// What is said about a folder that lacks files of the plan.
enum MissingFiles {
    static let remedy = PendingStages.missingFilesRemedy

    static func annotations(_ files: [String]) -> [Annotation] {
        files.isEmpty
            ? [] : [Annotation(.error, title: "missing files", message: files.joined(separator: "\n") + "\n" + remedy)]
    }

    static func text(_ files: [String], _ style: TextStyle) -> [String] {
        guard !files.isEmpty else { return [] }
        return ["Missing   " + style.red(files.joined(separator: ", ")), "          fix: " + remedy]
    }
}
