import ArgumentParser
import Foundation

/// Where a new package gets Strata from.
enum StrataSource: Equatable {
    /// A clone, by its path from the package.
    case path(String)
    case repository(url: String, version: String)

    /// - Parameters:
    ///   - text: as the option has it; `nil` for the clone that this program was built from.
    ///   - project: the folder of the new package.
    /// - Throws: `ValidationError` for a path without Strata, and for a URL without a version.
    init(_ text: String?, from project: URL) throws {
        if let text, text.contains("://") || text.hasPrefix("git@") {
            let parts = text.split(separator: "@")
            guard parts.count > 1, let version = parts.last, Self.isVersion(version) else {
                throw ValidationError("\(text) names no version: add one, as in https://example.com/strata.git@0.1.0.")
            }
            self = .repository(url: String(text.dropLast(version.utf8.count + 1)), version: String(version))
            return
        }
        let clone = URL(fileURLWithPath: text ?? Self.ownClone).standardizedFileURL
        guard FileManager.default.fileExists(atPath: clone.appendingPathComponent("Sources/Strata").path) else {
            throw ValidationError(
                "There is no clone of Strata in \(clone.path). Name one: --strata ../strata, or --strata URL@version.")
        }
        self = .path(Self.relativePath(from: project, to: clone))
    }

    /// The folder whose sources this program was built from.
    private static var ownClone: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
    }

    private static func isVersion(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { UInt32($0) != nil }
    }

    private static func relativePath(from folder: URL, to other: URL) -> String {
        var from = folder.pathComponents[...]
        var to = other.pathComponents[...]
        while let first = from.first, first == to.first {
            from = from.dropFirst()
            to = to.dropFirst()
        }
        return (Array(repeating: "..", count: from.count) + to).joined(separator: "/")
    }
}
