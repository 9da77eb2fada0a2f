import Foundation
package import StrataMigrations
package import StrataModels

/// The folder of migration files: the stages, the frozen versions, and the sum file over both.
///
/// ```
/// migrations/
///   migrations.sum
///   0001_v1.sql   0002_v1_v2.sql   0002_v1_v2.down.sql   0002_v1_v2.checks.sql
///   schema/V1.json   schema/V2.json
/// ```
///
/// Places in errors are names below the folder: `0002_v1_v2.sql:14`, `schema/V2.json`.
package struct MigrationFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package struct Contents: Hashable, Sendable {
        /// By number: 1, 2, 3 ….
        package var scripts: [StageScript]
        /// By version.
        package var frozen: [FrozenSchema]
        /// Scripts that create a version directly, for empty databases; by number.
        package var squashed: [StageScript]

        /// All scripts by number, for a runner: a new database takes the last one that starts from nothing.
        package var all: [StageScript] { (squashed + scripts).stablySorted { $0.number < $1.number } }
    }

    /// Reads everything and holds it against the sum file.
    ///
    /// Throws ``MigrationError`` with file and line: `integrity` for files that are missing, too many, merged badly or
    /// edited, `usage` for what cannot be read, `unexpected` where the system refuses.
    package func contents() throws(MigrationError) -> Contents {
        let texts = try mergedTexts()
        let contents = try Self.contents(of: texts)
        try Self.checkSums(of: texts)
        return contents
    }

    /// The file of a frozen version: `schema/V4.json`, `schema/V4.1.json`.
    package static func frozenName(_ version: Schema.Version) -> String {
        var name = "V\(version.major)"
        if version.minor != 0 || version.patch != 0 { name += ".\(version.minor)" }
        if version.patch != 0 { name += ".\(version.patch)" }
        return "schema/\(name).json"
    }

    // MARK: - Reading

    /// The texts of all files of ours, by name; none for a folder that does not exist.
    func texts() throws(MigrationError) -> [String: String] {
        var texts: [String: String] = [:]
        for (folder, ending) in [("", ".sql"), ("schema/", ".json"), ("", SumFile.name)] {
            let directory = path + "/" + folder
            guard FileManager.default.fileExists(atPath: directory) else { continue }
            do {
                for name in try FileManager.default.contentsOfDirectory(atPath: directory)
                where name.hasSuffix(ending) && !name.hasPrefix(".") {
                    let data = try Data(contentsOf: URL(fileURLWithPath: directory + name))
                    texts[folder + name] = String(decoding: data, as: UTF8.self)
                }
            } catch {
                throw MigrationError(
                    .unexpected, "The folder of migrations cannot be read.", places: [directory], underlying: error)
            }
        }
        return texts
    }

    /// The same, without marks that a merge has left.
    func mergedTexts() throws(MigrationError) -> [String: String] {
        let texts = try texts()
        let marks = texts.sorted { $0.key < $1.key }.compactMap { name, text in
            MergeSides.firstMark(in: text).map { "\(name):\($0)" }
        }
        guard let first = marks.first else { return texts }
        let file = first.prefix { $0 != ":" }
        throw MigrationError(
            .integrity, "\(file) holds the marks of a merge that was not finished.", places: marks,
            remedy: "put the stages of both branches into one plan, then run rebase: it brings the files in order")
    }

    static func contents(of texts: [String: String]) throws(MigrationError) -> Contents {
        let scripts = try scripts(in: texts)
        let contents = Contents(
            scripts: scripts.filter { !$0.isSquashed }, frozen: try frozen(in: texts),
            squashed: scripts.filter(\.isSquashed))
        try contents.requireOrder()
        try contents.requireFrozen()
        return contents
    }

    /// By version.
    static func frozen(in texts: [String: String]) throws(MigrationError) -> [FrozenSchema] {
        var frozen: [FrozenSchema] = []
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) where name.hasPrefix("schema/") {
            let schema = try FrozenSchema(canonicalJSON: text, file: name)
            guard name == frozenName(schema.version) else {
                throw MigrationError(
                    .integrity, "\(name) holds version \(schema.version).", places: ["\(name):1"],
                    remedy: "restore it from version control")
            }
            frozen.append(schema)
        }
        return frozen.sorted { $0.version < $1.version }
    }

    /// All scripts by number, whether or not the numbers are as they should be.
    static func scripts(in texts: [String: String]) throws(MigrationError) -> [StageScript] {
        var scripts: [StageScript] = []
        for stem in stems(in: texts) {
            guard let up = texts[stem + ".sql"] else {
                throw MigrationError(
                    .integrity, "\(stem).sql is missing.", places: ["\(stem).sql:1"],
                    remedy: "restore it from version control")
            }
            scripts.append(
                try StageScript(
                    upText: up, downText: texts[stem + ".down.sql"], checksText: texts[stem + ".checks.sql"], stem: stem
                ))
        }
        return scripts.sorted { ($0.number, $0.stem) < ($1.number, $1.stem) }
    }

    static func stems(in texts: [String: String]) -> [String] {
        Set(texts.keys.filter { $0.hasSuffix(".sql") }.map { String($0.prefix { $0 != "." }) }).sorted()
    }
}

extension MigrationFolder.Contents {
    /// Numbers without gaps, and each stage starts where the one before it ends.
    fileprivate func requireOrder() throws(MigrationError) {
        for (index, script) in scripts.enumerated() {
            let before = index > 0 ? scripts[index - 1] : nil
            if let before, before.number == script.number {
                throw MigrationError(
                    .integrity, "\(before.stem).sql and \(script.stem).sql have one number.",
                    places: ["\(script.stem).sql:1"], remedy: "run rebase")
            }
            guard script.number == index + 1 else {
                throw MigrationError(
                    .integrity, "The stage with number \(index + 1) is missing.", places: ["\(script.stem).sql:1"],
                    remedy: "restore the file from version control, or run rebase after a merge")
            }
            guard script.from == before?.to else {
                throw MigrationError(
                    .integrity,
                    "\(script.stem).sql starts from \(script.from.map { "version \($0.version)" } ?? "nothing"), and "
                        + (before.map { "\($0.stem).sql leads to version \($0.to.version)" } ?? "no stage is before it")
                        + (script.from?.version == before?.to.version ? " as it is written down elsewhere." : "."),
                    places: ["\(script.stem).sql:3"],
                    remedy: "restore the files from version control, or run rebase after a merge")
            }
        }
        for script in squashed where !scripts.contains(where: { $0.to == script.to }) {
            throw MigrationError(
                .integrity, "\(script.stem).sql creates version \(script.to.version), to which no stage leads.",
                places: ["\(script.stem).sql:4"], remedy: "run rebase after a merge, or remove it and run squash")
        }
    }

    /// Each stage leads to a version that is written down.
    fileprivate func requireFrozen() throws(MigrationError) {
        for script in scripts {
            let name = MigrationFolder.frozenName(script.to.version)
            guard let schema = frozen.first(where: { $0.version == script.to.version }) else {
                throw MigrationError(
                    .integrity, "\(name) is missing, to which \(script.stem).sql leads.",
                    places: ["\(script.stem).sql:4"], remedy: "restore it from version control")
            }
            guard schema.fingerprint == script.to.fingerprint else {
                throw MigrationError(
                    .integrity, "\(name) is not the version to which \(script.stem).sql leads.",
                    places: ["\(name):1", "\(script.stem).sql:4"],
                    remedy: "restore both from version control, or run rebase after a merge")
            }
        }
    }
}

extension StageScript {
    /// Whether it creates a version directly in place of the stages before it.
    package var isSquashed: Bool { from == nil && name.hasPrefix(Self.squashedPrefix) }

    static let squashedPrefix = "squashed_"
}

extension Array {
    /// Elements that are not ordered stay as they were.
    fileprivate func stablySorted(_ isBefore: (Element, Element) -> Bool) -> [Element] {
        enumerated().sorted {
            isBefore($0.element, $1.element)
                || !isBefore($1.element, $0.element) && $0.offset < $1.offset
        }.map(\.element)
    }
}
