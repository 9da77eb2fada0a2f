import StrataRepository

extension MigrationPlanner {
    /// The stage the other way round, where nothing that is gone would have to come back.
    static func wayBack(_ planner: MigrationPlanner, number: Int, stem: String) -> StageScript.Way {
        if planner.stage.isCustom { return .none(reason: "the code of its custom stage has no way back") }
        if !planner.draft.losses.isEmpty {
            return .none(reason: "dropped values cannot come back: " + planner.draft.losses.joined(separator: ", "))
        }
        if planner.match.changes.contains(where: { if case .sql = $0.kind { true } else { false } }) {
            return .none(reason: "the plan's own statements have no way back")
        }
        let converted = planner.flows.flows.filter { $0.conversion != nil }.map(\.property)
        if !converted.isEmpty {
            return .none(reason: "the plan's own conversions have no way back: " + converted.joined(separator: ", "))
        }
        do {
            var back = try MigrationPlanner(
                from: planner.new, to: planner.old, stage: .init(changes: planner.inverseChanges()),
                schemaName: planner.schemaName, stem: stem + ".down",
                recordsHistory: planner.recordsHistory, isWayBack: true)
            try back.plan()
            var steps = back.draft.numbered(number)
            for index in steps.indices {
                steps[index].notes = steps[index].notes.map {
                    $0.replacing(": \(acknowledgement)", with: ": version \(planner.old.version) does not have it")
                }
            }
            return .steps(steps, checks: back.draft.checks)
        } catch {
            return .none(reason: error.message.replacing("\n", with: " "))
        }
    }

    /// Renames turned round, splits as merges; what is new in the new version goes again.
    private func inverseChanges() -> [SchemaChange] {
        var result: [SchemaChange] = []
        for (new, old) in match.oldNames.sorted(by: { $0.key < $1.key }) where new != old {
            result.append(SchemaChange(.renamed(.init(new), to: .init(old))))
        }
        for entity in new.entities where match.oldEntity(of: entity) == nil {
            let split = match.rowClasses.first { $0.new == entity }
            let parent = new.chain(of: entity).dropLast().reversed().compactMap { match.oldEntity(of: $0) }.first
            if let split {
                result.append(SchemaChange(.merged(entity.name, into: split.old.name)))
            } else if let parent {
                // Objects of a class that did not exist go on as objects of its superclass.
                result.append(SchemaChange(.merged(entity.name, into: parent.name)))
                result += entity.columns.map { SchemaChange(.dropped(.init(entity.name, $0.property))) }
                continue
            } else {
                result.append(SchemaChange(.dropped(.init(entity.name))))
                continue
            }
        }
        for flow in flows.flows {
            let parts = flow.property.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            if flow.sources.isEmpty, !result.contains(SchemaChange(.dropped(.init(parts[0], parts[1])))) {
                result.append(SchemaChange(.dropped(.init(parts[0], parts[1]))))
            }
            for source in flow.sources {
                let from = source.property.split(separator: ".", maxSplits: 1).map(String.init)
                if from.count == 2, from[1] != parts[1] {
                    result.append(SchemaChange(.renamed(.init(parts[0], parts[1]), to: .init(from[0], from[1]))))
                    if flow.isSideBySide, source.type == flow.definition.type, source.isOptional == flow.isOptional {
                        result.append(SchemaChange(.sideBySide(.init(from[0], from[1]))))
                    }
                }
            }
        }
        let known = Set(flows.links.map(\.property))
        for entity in new.entities {
            for relationship in entity.relationships where !known.contains("\(entity.name).\(relationship.name)") {
                if case .foreignKey = relationship.storage { continue }
                let isOld = old.entities.contains {
                    $0.declares(relationship.name) || $0.declares(relationship.originalName ?? "")
                }
                if !isOld { result.append(SchemaChange(.dropped(.init(entity.name, relationship.name)))) }
            }
        }
        return result
    }
}
