import StrataMigrations

/// For GitHub Actions: the text, and workflow commands that annotate files.
struct GitHubOutput: OutputRendering {
    func result(_ result: any CommandResult, of command: String) -> String {
        let text = result.text(TextStyle()).map { $0 + "\n" }.joined()
        return text + result.annotations.map { line($0) + "\n" }.joined()
    }

    func failure(_ error: MigrationError, of command: String) -> (text: String, isStandardOutput: Bool) {
        let place = error.places.lazy.compactMap { Self.place($0) }.first
        let annotation = Annotation(
            .error, file: place?.file, line: place?.line, title: "\(command): \(error.code.rawValue)",
            message: error.description)
        // Workflow commands are read from the standard output.
        return (line(annotation) + "\n", true)
    }

    func progress(_ line: ProgressLine) -> String? { line.text + "\n" }

    private func line(_ annotation: Annotation) -> String {
        var properties: [String] = []
        if let file = annotation.file { properties.append("file=" + Self.property(file)) }
        if let line = annotation.line { properties.append("line=\(line)") }
        properties.append("title=" + Self.property(annotation.title))
        return "::\(annotation.level.rawValue) \(properties.joined(separator: ","))::\(Self.data(annotation.message))"
    }

    /// `migrations/0002_v1_v2.sql:14`, with or without anything behind it.
    private static func place(_ text: String) -> (file: String, line: Int)? {
        guard let match = text.firstMatch(of: /^([^\s:]+\.(?:sql|json|sum)):(\d+)/), let line = Int(match.2) else {
            return nil
        }
        return (String(match.1), line)
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
