import StrataRepository

extension MigrationPlanner {
    /// The stage the other way round, where nothing that is gone would have to come back.
    static func wayBack(_ planner: MigrationPlanner, number: Int, name: StageName) -> StageScript.Way {
        if planner.stage.isCustom { return .none(reason: "the code of its custom stage has no way back") }
        if !planner.draft.losses.isEmpty {
            let lost = planner.draft.losses.map(\.subject).joined(separator: ", ")
            return .none(reason: "dropped values cannot come back: " + lost)
        }
        if planner.match.changes.contains(where: { if case .sql = $0.kind { true } else { false } }) {
            return .none(reason: "the plan's own statements have no way back")
        }
        if let mixed = planner.match.mixedRows { return .none(reason: mixed) }
        let converted = planner.flows.flows.filter { $0.conversion != nil }.map(\.property)
        if !converted.isEmpty {
            return .none(reason: "the plan's own conversions have no way back: " + converted.joined(separator: ", "))
        }
        do {
            var back = MigrationPlanner(reversing: planner, name: name)
            try back.plan()
            return .steps(back.draft.numbered(number), checks: back.draft.checks)
        } catch {
            return .none(reason: error.message.replacing("\n", with: " "))
        }
    }

    /// Values that the way back brings back in another form than they had: said before the way forward is taken.
    func changedOnReturn() -> [String] {
        flows.flows.flatMap { flow in
            flow.sources.compactMap { source in
                if !flow.isOptional, flow.fill != nil, !flow.fillsWithNothing(source), emptiness(flow, source) != nil {
                    return "going back, \(source.property) keeps what it is filled with where it is empty now"
                }
                if !flow.isOptional, flow.fill != nil, flows.kept(flow.place) == source.place,
                    flow.unfed.contains(where: { $0.old.table == source.place.table })
                {
                    // Of classes that share a table.
                    return
                        "going back, \(source.property) keeps what it is filled with in rows of other classes, where nobody sees it"
                }
                let isExact = TypeConversion.isExact(from: source.type, to: flow.definition.type)
                if !flows.isConverted(flow, source) || isExact { return nil }
                return
                    "going back, \(source.property) is converted from \(flow.definition.type): what was written in "
                    + "another form than PostgreSQL writes comes back in that one"
            }
        }
    }

    private init(reversing forward: MigrationPlanner, name: StageName) {
        let match = SchemaCorrespondence(
            reversing: forward.match, sideBySide: Set(forward.flows.flows.flatMap(\.sideBySideSources)))
        self.init(
            match, stage: .init(), schemaName: forward.schemaName, name: name,
            recordsHistory: forward.recordsHistory,
            isWayBack: true)
    }
}

extension SchemaCorrespondence {
    /// Says which class has rows of several older ones: nothing tells which row was of which.
    fileprivate var mixedRows: String? {
        for entity in new.entities {
            let classes = rowClasses.filter { $0.new == entity }.map(\.old.name)
            if classes.count > 1 {
                return "rows of \(classes.joined(separator: ", ")) are all rows of \(entity.name) now, "
                    + "and nothing tells what each was"
            }
        }
        return nil
    }
}

extension ColumnFlow {
    /// The old properties that can stand beside this one on the way back as well.
    fileprivate var sideBySideSources: [SchemaChange.Subject] {
        guard isSideBySide else { return [] }
        return sources.filter {
            $0.subject.property != subject.property && $0.type == definition.type
                && $0.isOptional == isOptional
        }.map(\.subject)
    }
}
