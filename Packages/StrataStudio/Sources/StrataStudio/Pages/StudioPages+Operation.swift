import StrataBrowsing

extension StudioPages {
    func migrations(_ schema: StoredSchema) async throws -> Page {
        let record = try await browser.migrations(of: schema)
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
            } else {
                element("p") { "No migration was applied here: a container has made the tables, or somebody else." }
            }
        }
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

    func activity() async throws -> Page {
        let sessions = try await browser.activity()
        return Page("Activity", trail: [("Schemas", .home)], seconds: 2) {
            element("p", .class("hint")) {
                "Sessions of this database that work, or keep a transaction open; the oldest transaction first."
            }
            if sessions.isEmpty { element("p") { "Nobody does anything." } }
            for session in sessions {
                element("section", session.blockedBy.isEmpty ? .class("card") : .class("card blocked")) {
                    element("h2", .id("process-\(session.process)")) {
                        "Process \(session.process)"
                        element("span", .class("tag")) { session.state ?? "not to be seen by this role" }
                    }
                    if !session.blockedBy.isEmpty {
                        element("p", .class("problem")) {
                            "Waits for "
                            for process in session.blockedBy {
                                HTML(
                                    "a", [Attribute("href", "#process-\(process)")], [HTML(text: "process \(process)")])
                                " "
                            }
                        }
                    }
                    element("p") { facts(session) }
                    element("pre", Attribute("tabindex", "0"), .label("Statement of process \(session.process)")) {
                        session.statement
                    }
                    if !session.locks.isEmpty {
                        element("details") {
                            element("summary") {
                                session.locks.count == 1
                                    ? "1 lock on a table" : "\(session.locks.count) locks on tables"
                            }
                            element("ul") {
                                for lock in session.locks {
                                    element("li") {
                                        code(lock.table)
                                        " \(lock.mode)" + (lock.isGranted ? "" : ", waits for it")
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private func facts(_ session: ServerSession) -> HTML {
        let parts = [
            session.application, session.user.map { "user \($0)" }, session.age.map { "for \(age($0))" },
            session.transactionAge.map { "transaction open for \(age($0))" }, session.waitsFor.map { "waits: \($0)" },
        ]
        return name(parts.compactMap(\.self).joined(separator: " · "))
    }
}
