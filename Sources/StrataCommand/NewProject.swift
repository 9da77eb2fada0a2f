import Foundation

/// A package that is a copy of the template under another name.
struct NewProject {
    let name: ProjectName
    let strata: StrataSource

    /// The files with their paths, as they are written.
    var files: [(path: String, text: String)] {
        // Renamed first: a URL, a branch or a path may have the template's name in it.
        ProjectTemplate.files.map { (renamed($0.path), sourced(renamed($0.text))) }
    }

    /// Makes the folder with all files, or nothing.
    ///
    /// - Throws: ``ProjectError`` when the folder holds something; what the file system says.
    func write(to folder: URL) throws {
        let manager = FileManager.default
        guard
            (try? manager.contentsOfDirectory(atPath: folder.path))?.isEmpty ?? !manager.fileExists(atPath: folder.path)
        else { throw ProjectError.occupied(folder.path) }
        let parent = folder.deletingLastPathComponent()
        try manager.createDirectory(at: parent, withIntermediateDirectories: true)
        // Beside its place, so that moving it there is one step.
        let draft = parent.appendingPathComponent(".\(name.text)-\(UUID().uuidString)", isDirectory: true)
        do {
            for file in files {
                let url = draft.appendingPathComponent(file.path)
                try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: url)
            }
            if manager.fileExists(atPath: folder.path) { try manager.removeItem(at: folder) }
            try manager.moveItem(at: draft, to: folder)
        } catch {
            try? manager.removeItem(at: draft)
            throw error
        }
    }

    /// The template is named Shop, and says the word of nothing else.
    private func renamed(_ text: String) -> String {
        // A mark in between: the name may have the word in it, as Bookshop has.
        text.replacing("Shop", with: "\u{1}").replacing("shop", with: name.lowercased)
            .replacing("\u{1}", with: name.text)
    }

    /// The template has Strata two folders above.
    private func sourced(_ text: String) -> String {
        switch strata {
        case .path(let path):
            return text.replacing(ProjectTemplate.pathOfStrata, with: path)
        case .repository(let url, let requirement):
            var text = text.replacing(
                #".package(name: "strata", path: "\#(ProjectTemplate.pathOfStrata)")"#,
                with: #".package(url: "\#(url)", \#(requirement.argument))"#)
            for lines in ProjectTemplate.linesForPath { text = text.replacing(lines, with: "") }
            return text.replacing("(\(ProjectTemplate.pathOfStrata))", with: "(\(url))")
        }
    }
}

/// Why no package was made.
enum ProjectError: Error, CustomStringConvertible {
    case occupied(String)

    var description: String {
        switch self {
        case .occupied(let path): "\(path) holds something already. Name a new or an empty folder."
        }
    }
}
