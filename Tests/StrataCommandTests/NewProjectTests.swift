import ArgumentParser
import Foundation
import Testing

@testable import StrataCommand

/// What `strata new` writes. That it builds and passes its tests is seen by scripts/check-template.sh.
@Suite struct NewProjectTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-new-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func files(in folder: URL) throws -> Set<String> {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Set(
            paths.filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(
                    atPath: folder.appendingPathComponent(path).path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }

    @Test func theTemplateIsExamplesShop() throws {
        let example = Self.repository.appendingPathComponent("Examples/Shop")
        for (path, text) in ProjectTemplate.files {
            #expect(try String(contentsOf: example.appendingPathComponent(path), encoding: .utf8) == text, "\(path)")
        }
        let here = try files(in: example).filter { path in
            ![".build", ".strata", ".swiftpm", "Package.resolved"].contains {
                path.split(separator: "/").contains(Substring($0))
            }
        }
        #expect(Set(ProjectTemplate.files.map(\.path)) == here)
    }

    @Test func allFilesHaveTheNewName() throws {
        try withFolder { folder in
            try NewCommand.parse([folder.appendingPathComponent("Bakery").path]).run()
            let bakery = folder.appendingPathComponent("Bakery")
            let paths = try files(in: bakery)
            #expect(paths.count == ProjectTemplate.files.count)
            #expect(
                paths.isSuperset(of: [
                    "Package.swift", "Sources/Bakery/Bakery.swift", "Sources/BakeryModels/CatalogPlan.swift",
                    "Dockerfile",
                    "Sources/BakeryMigrations/BakeryMigrations.swift", "Tests/BakeryTests/OrdersTests.swift",
                    "compose.yaml",
                    ".github/workflows/ci.yml", ".gitignore", ".dockerignore", "migrations/0001_v1.sql",
                    "migrations/migrations.sum",
                ]))
            for path in paths {
                let text = try String(contentsOf: bakery.appendingPathComponent(path), encoding: .utf8)
                #expect(!text.lowercased().contains("shop"), "\(path)")
            }
            // Nothing is left beside it.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Bakery"])
        }
    }

    @Test func aCloneIsNamedByItsPathFromThePackage() throws {
        try withFolder { folder in
            let bakery = folder.appendingPathComponent("Bakery")
            let source = try StrataSource(Self.repository.path, from: bakery)
            guard case .path(let path) = source else { return #expect(Bool(false), "\(source)") }
            #expect(path.hasPrefix("../.."))
            #expect(
                URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: bakery.path, isDirectory: true))
                    .standardizedFileURL.path == Self.repository.path)
            let project = NewProject(name: try ProjectName("Bakery"), strata: source)
            #expect(project.text("Package.swift").contains(#".package(name: "strata", path: "\#(path)")"#))
            #expect(project.text("Dockerfile").contains("COPY --from=strata . \(path)\n"))
            #expect(project.text("compose.yaml").contains("strata: \(path)\n"))
        }
    }

    @Test func aNameMayHaveTheTemplatesNameInIt() throws {
        try withFolder { folder in
            let source = try StrataSource(Self.repository.path, from: folder)
            let project = NewProject(name: try ProjectName("Bookshop"), strata: source)
            #expect(project.text("Package.swift").contains(#"name: "Bookshop""#))
            #expect(!project.text("Package.swift").lowercased().contains("bookbookshop"))
        }
    }

    @Test func aSourceKeepsTheTemplatesNameThatItHasInIt() throws {
        let folder = URL(fileURLWithPath: "/tmp/Bakery")
        let source = try StrataSource("https://shop.example.com/Shop/strata.git@shop/Shop-2", from: folder)
        let project = NewProject(name: try ProjectName("Bakery"), strata: source)
        #expect(
            project.text("Package.swift").contains(
                #".package(url: "https://shop.example.com/Shop/strata.git", branch: "shop/Shop-2")"#))
        #expect(project.text("README.md").contains("(https://shop.example.com/Shop/strata.git)"))
        let clone = NewProject(name: try ProjectName("Bakery"), strata: .path("../Shop/strata"))
        #expect(clone.text("Package.swift").contains(#".package(name: "strata", path: "../Shop/strata")"#))
    }

    @Test(arguments: [
        "https://ana:secret@example.com/strata.git@main", "https://ana:secret@example.com/strata.git",
        "https://:secret@example.com/strata.git@1.0.0", "https://ana:secret@example.com@main",
        "https://ana:secret@example.com/fork.git@main", "ssh://ana:secret@example.com:22/strata.git@main",
        "https://ana:sec@secret@example.com/strata.git@main",
    ])
    func aPasswordIsRefusedAndNotRepeated(text: String) {
        let error = #expect(throws: ValidationError.self) {
            try StrataSource(text, from: URL(fileURLWithPath: "/tmp/Bakery"))
        }
        #expect(error?.message.contains("credential helper") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("secret") == false, "\(error?.message ?? "")")
    }

    @Test func aRepositoryIsNamedByItsURLAndNothingIsCopied() throws {
        let source = try StrataSource("https://example.com/strata.git@0.1.0", from: URL(fileURLWithPath: "/tmp/Bakery"))
        #expect(source == .repository(url: "https://example.com/strata.git", .version("0.1.0")))
        let project = NewProject(name: try ProjectName("Bakery"), strata: source)
        #expect(
            project.text("Package.swift").contains(#".package(url: "https://example.com/strata.git", from: "0.1.0")"#))
        for file in project.files { #expect(!file.text.contains("../.."), "\(file.path)") }
        #expect(!project.text("Dockerfile").contains("--from=strata"))
        #expect(!project.text("compose.yaml").contains("additional_contexts"))
    }

    @Test(arguments: [
        ("@0.1.0", #"from: "0.1.0""#), ("@1.0.0-beta.2", #"from: "1.0.0-beta.2""#), ("@main", #"branch: "main""#),
        ("@release/0.1", #"branch: "release/0.1""#), ("@v2", #"branch: "v2""#),
        ("@2026-11", #"branch: "2026-11""#),
        (
            "@5cac612f4b2a62c697d8c1f3061ba46b1ea11ab5", #"revision: "5cac612f4b2a62c697d8c1f3061ba46b1ea11ab5""#
        ),
        (
            "@5CAC612F4B2A62C697D8C1F3061BA46B1EA11AB5", #"revision: "5cac612f4b2a62c697d8c1f3061ba46b1ea11ab5""#
        ),
        ("@1.0.0-rc-1.0.x1", #"from: "1.0.0-rc-1.0.x1""#), ("@v1.0", #"branch: "v1.0""#),
    ])
    func whatIsTakenOfARepositoryStandsInPackageSwift(ending: String, argument: String) throws {
        for url in [
            "https://example.com/strata.git", "https://ana@example.com/strata", "ssh://git@example.com:22/strata.git",
            "git@example.com:team/strata.git",
        ] {
            let source = try StrataSource(url + ending, from: URL(fileURLWithPath: "/tmp/Bakery"))
            let project = NewProject(name: try ProjectName("Bakery"), strata: source)
            #expect(project.text("Package.swift").contains(#".package(url: "\#(url)", \#(argument))"#))
        }
    }

    @Test(arguments: [
        ("https://example.com/strata.git", "names neither a version nor a branch"),
        ("https://ana@example.com/strata.git", "names neither a version nor a branch"),
        ("git@example.com:strata.git", "names neither a version nor a branch"),
        ("https://example.com", "names neither a version nor a branch"),
        ("https://example.com/strata.git@", "is missing behind the @"),
        ("https://example.com/strata.git@0.1", "three numbers"),
        ("https://example.com/strata.git@5cac612f", "40 digits"),
        ("https://example.com/strata.git@v1.0.0", "no version"),
        ("https://example.com/strata.git@V1.0.0", "no version"),
        ("https://example.com/strata.git@1.0.0beta1", "no version"),
        ("https://example.com/strata.git@1.0.0+build", "no version"),
        ("https://example.com/strata.git@1.0.0-a..b", "no version"),
        ("https://example.com/strata.git@1.0.0-", "no version"),
        ("https://example.com/strata.git@1.0.0-a.01", "no version"),
        ("https://example.com/strata.git@01.0.0", "no version"),
        ("https://example.com/strata.git@1.0.0.1", "no version"),
        ("https://example.com/strata.git@99999999999999999999.0.0", "no version"),
        ("https://example.com/strata.git@a b", "neither a version nor a branch"),
        ("https://example.com/strata.git@a\")", "neither a version nor a branch"),
        ("https://example.com/strata.git@-b", "neither a version nor a branch"),
        ("https://example.com/strata.git@a..b", "neither a version nor a branch"),
        ("https://example.com/a\"/strata.git@main", "is no URL"), ("https://example.com/@main", "is no URL"),
        ("https://example.com/fork.git@main", "ends with strata or strata.git"),
        ("/nowhere/at/all", "There is no clone of Strata in /nowhere/at/all"),
        ("../strata@main", "There is no clone of Strata in"),
    ])
    func aSourceThatIsNoneIsRefused(text: String, reason: String) throws {
        let error = #expect(throws: ValidationError.self) {
            try StrataSource(text, from: URL(fileURLWithPath: "/tmp/Bakery"))
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        "", "shop", "My Shop", "Shop-2", "Größe", "2Shop", "Strata", "Testing", "Product",
        String(repeating: "A", count: 41),
    ])
    func aNameThatNoModuleMayHaveIsRefused(name: String) {
        #expect(throws: ValidationError.self) { try ProjectName(name) }
    }

    @Test func aFolderThatHoldsSomethingIsLeftAsItIs() throws {
        try withFolder { folder in
            let bakery = folder.appendingPathComponent("Bakery")
            try FileManager.default.createDirectory(at: bakery, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: bakery.appendingPathComponent("notes.txt"))
            #expect(throws: ValidationError.self) { try NewCommand.parse([bakery.path]).run() }
            #expect(try files(in: folder) == ["Bakery/notes.txt"])
        }
    }

    @Test func aFileIsNoFolder() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: folder.appendingPathComponent("Bakery"))
            #expect(throws: (any Error).self) {
                try NewCommand.parse([folder.appendingPathComponent("Bakery").path]).run()
            }
            #expect(try files(in: folder) == ["Bakery"])
        }
    }

    @Test func anEmptyFolderIsFilled() throws {
        try withFolder { folder in
            let bakery = folder.appendingPathComponent("Bakery")
            try FileManager.default.createDirectory(at: bakery, withIntermediateDirectories: true)
            try NewCommand.parse([bakery.path]).run()
            #expect(try files(in: bakery).count == ProjectTemplate.files.count)
        }
    }
}

extension NewProject {
    /// What a file holds; empty where there is none.
    fileprivate func text(_ path: String) -> String { files.first { $0.path == path }?.text ?? "" }
}
