import ArgumentParser
import Foundation

/// `strata new Shop`: makes a package with models, migrations and tests.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a package with models, a migration plan, tests, a Dockerfile and a CI file.",
        discussion: """
            The folder must be new or empty. What is made is a copy of Examples/Shop with the name that is given; its README says \
            how to go on.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder to make; its last component is the package's name: a capital letter, then letters and digits.",
            valueName: "folder"))
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Where the package gets Strata from: the path of a clone, or the URL of a repository with its first version (https://…@0.1.0), a branch "
                + "(https://…@main) or all 40 digits of a revision. The clone that this program was built from, unless it is given.",
            valueName: "path or URL@version"))
    var strata: String?

    func run() throws {
        let url = URL(fileURLWithPath: folder).standardizedFileURL
        let project = NewProject(
            name: try ProjectName(url.lastPathComponent), strata: try StrataSource(strata, from: url))
        do {
            try project.write(to: url)
        } catch let error as ProjectError {
            throw ValidationError(error.description)
        }
        print(
            """
            Made \(url.path). Next:
              cd \(folder)
              swift run \(project.name.text) add Tea 450 20
              swift test
            """)
    }
}
