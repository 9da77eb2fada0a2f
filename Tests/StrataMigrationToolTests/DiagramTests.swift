import Foundation
import StrataMigrationTool
import Testing

@Suite("Diagrams")
struct DiagramTests {
    @Test("classes, superclasses, and each relationship once")
    func classes() {
        let run = ToolRun(["diagram"], project: DrawnSchema.project)
        #expect(run.exitCode == 0)
        #expect(run.errors == "")
        #expect(
            run.output == """
                classDiagram
                    class BusinessTrip {
                        +Double? perDiem
                    }
                    class Item {
                        +Array~String~ tags
                    }
                    class Trip {
                        +String name
                    }
                    Trip <|-- BusinessTrip
                    Item "*" -- "0..1" Trip : trip / items

                """)
    }

    @Test("tables with keys and what they refer to")
    func tables() {
        let run = ToolRun(["diagram", "--kind", "er"], project: DrawnSchema.project)
        #expect(
            run.output == """
                erDiagram
                    "item" {
                        bigint id PK
                        text[] tags
                        bigint trip_id FK "nullable"
                    }
                    "trip" {
                        bigint id PK
                        text name
                    }
                    "trip" |o--o{ "item" : "trip_id"

                """)
    }

    @Test("an older version by any of its spellings", arguments: ["1", "1.0", "1.0.0", "V1"])
    func olderVersion(text: String) throws {
        let run = ToolRun(["diagram", "--version", text, "--format", "json"], project: DrawnSchema.project)
        #expect(run.exitCode == 0)
        let json = try run.json()
        #expect(json["code"] as? String == "ok")
        #expect(json["command"] as? String == "diagram")
        #expect(json["version"] as? String == "1.0.0")
        #expect((json["mermaid"] as? String)?.contains("BusinessTrip") == false)
    }

    @Test("Graphviz: superclasses are arrows, fields are escaped")
    func graphviz() {
        let dot = GraphvizDiagram(DrawnSchema.second).dot
        #expect(dot.contains(#""BusinessTrip" -> "Trip" [arrowhead=empty];"#))
        #expect(dot.contains(#"tags:\ Array\<String\>\l"#))
        #expect(dot.hasSuffix("}\n"))
    }

    @Test("without dot, --svg says what is missing")
    func missingGraphviz() {
        let run = ToolRun(
            ["diagram", "--svg", "out.svg"], project: DrawnSchema.project, environment: ["PATH": "/nowhere"])
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("Graphviz"))
    }
}
