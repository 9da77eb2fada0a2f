import StrataMigrations
import StrataModels

/// A schema version as people write it.
enum VersionText {
    /// `4.0.0`, `4.0`, `4` or `V4`.
    ///
    /// - Throws: `MigrationError` with the code `usage` that names the versions there are.
    static func position(of text: String, in versions: [Schema.Version]) throws(MigrationError) -> Int {
        let digits = text.hasPrefix("V") || text.hasPrefix("v") ? text.dropFirst() : Substring(text)
        var numbers = digits.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        while numbers.count < 3 { numbers.append(0) }
        if let position = versions.firstIndex(where: { [$0.major, $0.minor, $0.patch] == numbers }) { return position }
        throw MigrationError(
            .usage, "There is no version \(text) in the plan.",
            remedy: "use one of " + versions.map(\.description).joined(separator: ", "))
    }
}
