import ArgumentParser
import Foundation
import StrataMigrations

/// `diagram`
struct DiagramCommand: ToolCommand {
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case `class`, er
    }

    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draws a schema version: its classes with their superclasses, or its tables.")

    @OptionGroup var common: CommonOptions

    @Option(help: "class: classes and relationships. er: tables and foreign keys.")
    var kind = Kind.class

    @Option(help: ArgumentHelp("The version to draw; the newest without it.", valueName: "version"))
    var version: String?

    @Option(help: ArgumentHelp("Writes the classes as SVG to this file, with Graphviz's dot.", valueName: "file"))
    var svg: String?

    func perform(in session: ToolSession) throws -> any CommandResult {
        let schema = try session.project.version(version)
        guard let svg else {
            let text = kind == .class ? ClassDiagram(schema).mermaid : TableDiagram(schema).mermaid
            return DiagramResult(version: schema.version.description, mermaid: text, file: nil)
        }
        let data = try GraphvizProgram.svg(
            of: GraphvizDiagram(schema).dot, environment: session.surroundings.environment)
        try data.write(to: URL(fileURLWithPath: session.path(svg)))
        return DiagramResult(version: schema.version.description, mermaid: nil, file: svg)
    }
}

struct DiagramResult: CommandResult {
    var version: String
    var mermaid: String?
    var file: String?

    func text(_ style: TextStyle) -> [String] {
        if let mermaid { return mermaid.split(separator: "\n").map(String.init) }
        return file.map { ["wrote \($0)"] } ?? []
    }
}
