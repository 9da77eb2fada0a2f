import ArgumentParser
import Foundation

/// Where a new package gets Strata from.
enum StrataSource: Equatable {
    /// A clone, by its path from the package.
    case path(String)
    case repository(url: String, Requirement)

    /// What of a repository is taken.
    enum Requirement: Equatable {
        /// The first version; SwiftPM takes the newest that is compatible with it.
        case version(String)
        case branch(String)
        /// A commit, by all its digits.
        case revision(String)
    }

    /// - Parameters:
    ///   - text: as the option has it; `nil` for the clone that this program was built from.
    ///   - project: the folder of the new package.
    /// - Throws: `ValidationError` for a path without Strata, and for a URL with a password, or without a version, a branch or a revision.
    init(_ text: String?, from project: URL) throws {
        if let text, let pathOfURL = Self.pathOfURL(in: text) {
            let example = "https://example.com/strata.git"
            // Before all else, so that no other message repeats it.
            guard !Self.hasPassword(text[..<pathOfURL]) else {
                throw ValidationError(
                    "The URL has a password, which Package.swift and README.md would show to everybody. Leave it out: let git ask a credential helper, or use ssh."
                )
            }
            guard let mark = text[pathOfURL...].lastIndex(of: "@") else {
                throw ValidationError(
                    "\(text) names neither a version nor a branch: add one, as in \(example)@0.1.0 or \(example)@main.")
            }
            let url = String(text[..<mark])
            // It stands between quotes in Package.swift, which asks for the products of a package of this name.
            guard !url.contains(where: { $0.isWhitespace || "\"\\".contains($0) }),
                url.lowercased().wholeMatch(of: /.*[\/:]strata(\.git)?/) != nil
            else {
                throw ValidationError(
                    "\(url) is no URL of Strata's repository: it ends with strata or strata.git, as \(example) does.")
            }
            self = .repository(url: url, try Requirement(text[mark...].dropFirst()))
            return
        }
        let clone = URL(fileURLWithPath: text ?? Self.ownClone).standardizedFileURL
        guard FileManager.default.fileExists(atPath: clone.appendingPathComponent("Sources/Strata").path) else {
            throw ValidationError(
                "There is no clone of Strata in \(clone.path). Name one: --strata ../strata, or a repository: --strata URL@version or "
                    + "--strata URL@branch.")
        }
        self = .path(Self.relativePath(from: project, to: clone))
    }

    /// Whether the user's part of a URL, which ends with an `@` before the path, says more than a name.
    private static func hasPassword(_ beforePath: Substring) -> Bool {
        guard let scheme = beforePath.range(of: "://"), let end = beforePath.lastIndex(of: "@") else { return false }
        return beforePath[scheme.upperBound..<end].contains(":")
    }

    /// Where the path of a URL begins, behind its host; `nil` for what is no URL. Before it an `@` belongs to a user's name.
    private static func pathOfURL(in text: String) -> String.Index? {
        if let scheme = text.range(of: "://") {
            return text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
        }
        return text.hasPrefix("git@") ? text.firstIndex(of: ":") ?? text.endIndex : nil
    }

    /// The folder whose sources this program was built from.
    private static var ownClone: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
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

extension StrataSource.Requirement {
    /// What stands behind the `@`: a version, all 40 digits of a revision, or else a branch.
    ///
    /// - Throws: `ValidationError` for what is none of these, and for what is likely meant as one and is not quite.
    init(_ text: Substring) throws {
        if text.prefixMatch(of: /[vV]?[0-9]+\.[0-9]+\.[0-9]+/) != nil {
            guard Self.isVersion(text) else {
                throw ValidationError(
                    "\(text) is no version that `from:` can name: three numbers, and then what comes before it, as in 1.0.0 or 1.0.0-beta.2. A tag of "
                        + "another form is named by its revision.")
            }
            self = .version(String(text))
        } else if text.wholeMatch(of: /[0-9a-fA-F]{40}/) != nil {
            self = .revision(text.lowercased())
        } else if text.wholeMatch(of: /[0-9.]+/) != nil {
            throw ValidationError("\(text) is no version: it has three numbers, as in 0.1.0.")
        } else if text.contains(where: \.isNumber), text.wholeMatch(of: /[0-9a-fA-F]{7,}/) != nil {
            throw ValidationError("\(text) is no revision: it has 40 digits, as `git rev-parse` says them.")
        } else if Self.isBranch(text) {
            self = .branch(String(text))
        } else {
            throw ValidationError(
                text.isEmpty
                    ? "A version or a branch is missing behind the @." : "\(text) is neither a version nor a branch.")
        }
    }

    /// The last argument of `.package(url:…)`.
    var argument: String {
        switch self {
        case .version(let version): "from: \"\(version)\""
        case .branch(let branch): "branch: \"\(branch)\""
        case .revision(let revision): "revision: \"\(revision)\""
        }
    }

    /// A version as semver.org says, which the manifest can read: without a build, which says nothing of what is newer.
    private static func isVersion(_ text: Substring) -> Bool {
        let numbers = /(?<major>[0-9]+)\.(?<minor>[0-9]+)\.(?<patch>[0-9]+)(-(?<prerelease>[0-9A-Za-z.-]+))?/
        guard let match = text.wholeMatch(of: numbers) else { return false }
        let isNumber = { (digits: Substring) in Int(digits) != nil && (digits == "0" || digits.first != "0") }
        return [match.major, match.minor, match.patch].allSatisfy(isNumber)
            && (match.prerelease ?? "a").split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && (part.contains { !$0.isNumber } || isNumber(part))
            }
    }

    /// Names that git allows (git-check-ref-format), as far as they are made of what needs no quotes anywhere.
    private static func isBranch(_ text: Substring) -> Bool {
        text.wholeMatch(of: /[\p{L}\p{N}_][\p{L}\p{N}_.\/+#-]*/) != nil && !text.contains("..") && !text.contains("//")
            && !text.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasSuffix(".lock") || $0.hasSuffix(".") }
            && !text.hasSuffix("/")
    }
}
