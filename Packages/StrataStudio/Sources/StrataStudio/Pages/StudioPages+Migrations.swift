import StrataBrowsing

extension StudioPages {
    func showMigrations(_ schema: StoredSchema) async throws -> Page {
        let record = try await browser.migrations(of: schema)
        let pending = try await pendingPart(of: schema)
        let drift = record == nil ? nil : try await browser.drift(of: schema)
        return Page(
            "Migrations", schema: schema.name, trail: [("Schemas", .home), (schema.name, .schema(schema.name))],
            seconds: record?.stageUnderWay == nil ? nil : 2
        ) {
            if let record {
                if let stage = record.stageUnderWay {
                    element("p", .class("problem")) {
                        "The stage "
                        code(stage)
                        " was begun and is not complete."
                    }
                } else {
                    element("p") { "Nothing is under way." }
                }
            } else {
                element("p") { "No migration was applied here: a container has made the tables, or somebody else." }
            }
            pending
            if let drift { driftPart(drift, version: schema.version) }
            if let record {
                element("h2") { "Versions" }
                table(
                    "Versions", head: ["Version", "Stage", "Applied", "By"],
                    rows: record.versions.map {
                        [name($0.version), code($0.stage), moment($0.applied), name($0.appliedBy)]
                    })
                if !record.steps.isEmpty {
                    element("h2") { "Steps" }
                    table(
                        "Steps", head: ["Stage", "Step", "State", "Rows", "Begun", "Ended", "What"],
                        rows: record.steps.map(row))
                }
            }
        }
    }

    /// What the files would still do; nothing where no folder was named.
    private func pendingPart(of schema: StoredSchema) async throws -> HTML {
        guard let folder = migrations else {
            return element("p", .class("hint")) {
                "What is pending stands in migration files. Start the studio with --migrations and their folder to see it here."
            }
        }
        let stages: [PendingStage]
        do { stages = try await browser.pendingStages(in: folder, of: schema) } catch let error as BrowsingError
            where error.code == .refused || error.code == .notFound
        {
            return element("p", .class("problem")) { name(error.description) }
        }
        guard !stages.isEmpty else { return element("p") { "Nothing of the migration files is pending." } }
        return HTML(stages.map(pendingStage))
    }

    private func pendingStage(_ stage: PendingStage) -> HTML {
        element("section") {
            element("h2") {
                "Pending: "
                name(stage.from.map { "\($0) to \(stage.to)" } ?? stage.to)
                element("span", .class("tag")) { stage.isStarted ? "begun" : "not begun" }
            }
            table(
                "Steps of \(stage.stage)", head: ["Step", "Phase", "What", "Lock"],
                rows: stage.steps.map { step in
                    [
                        name(step.step), name(step.phase),
                        step.statements.isEmpty
                            ? name(step.title)
                            : element("details") {
                                element("summary") { name(step.title) }
                                element("pre") { step.statements.joined(separator: ";\n\n") }
                            },
                        name(step.lock.map { "\($0) on \(step.tables.joined(separator: ", "))" } ?? ""),
                    ]
                })
        }
    }

    private func driftPart(_ lines: [String], version: String?) -> HTML {
        HTML([
            element("h2") { "Drift" },
            lines.isEmpty
                ? element("p") { "The tables are those of version \(version ?? "")." }
                : element("div") {
                    element("p", .class("problem")) {
                        lines.count == 1
                            ? "One thing is not as version \(version ?? "") has it:"
                            : "\(lines.count) things are not as version \(version ?? "") has them:"
                    }
                    element("ul") { for line in lines { element("li") { code(line) } } }
                },
        ])
    }

    private func row(_ step: MigrationRecord.Step) -> [HTML] {
        [
            code(step.stage), name(step.step),
            element("span", .class("tag")) { step.isDone ? "done" : "under way" },
            HTML(text: step.rowsDone == 0 ? "" : "\(step.rowsDone)" + (step.rowsTotal.map { " of \($0)" } ?? "")),
            moment(step.started), step.finished.map { moment($0) } ?? HTML(),
            step.content.isEmpty
                ? HTML()
                : element("details") {
                    element("summary") { name(step.content[0]) }
                    element("pre") { step.content.dropFirst().joined(separator: "\n\n") }
                },
        ]
    }
}
