import StrataBrowsing

extension StudioPages {
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
