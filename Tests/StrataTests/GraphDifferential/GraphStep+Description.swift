/// Steps as a person reads them: the context, what was done, to which object.
extension GraphStep: CustomStringConvertible {
    var description: String {
        switch self {
        case .create(let c, let kind, let number, let values, let targets):
            let texts = values.map { "\($0): \($1)" }.sorted() + targets.map { "\($0.column) → \($1)" }.sorted()
            return "context \(c): create \(kind) \(number), \(texts.joined(separator: ", "))"
        case .set(let c, let number, let attribute, let value): return "context \(c): \(number).\(attribute) = \(value)"
        case .point(let c, let number, let reference, let target):
            return "context \(c): \(number).\(reference.column) = \(target.map { "\($0)" } ?? "nil")"
        case .append(let c, let owner, let reference, let member):
            return "context \(c): \(owner).\(reference.inverse).append(\(member))"
        case .remove(let c, let owner, let reference, let member):
            return "context \(c): \(owner).\(reference.inverse).remove(\(member))"
        case .assign(let c, let owner, let reference, let members):
            return "context \(c): \(owner).\(reference.inverse) = \(members)"
        case .read(let c, let owner, let reference): return "context \(c): read \(owner).\(reference.inverse)"
        case .pair(let c, let person, let skill, let fromSkill):
            return "context \(c): "
                + (fromSkill ? "\(skill).people.append(\(person))" : "\(person).skills.append(\(skill))")
        case .unpair(let c, let person, let skill, let fromSkill):
            return "context \(c): "
                + (fromSkill ? "\(skill).people.remove(\(person))" : "\(person).skills.remove(\(skill))")
        case .readPairs(let c, let number): return "context \(c): read the pairs of \(number)"
        case .give(let c, let site, let badge): return "context \(c): \(site).keys.append(\(badge))"
        case .withdraw(let c, let site, let badge): return "context \(c): \(site).keys.remove(\(badge))"
        case .readGiven(let c, let site): return "context \(c): read \(site).keys"
        case .delete(let c, let number): return "context \(c): delete \(number)"
        case .keep(let c, let number): return "context \(c): insert \(number) again"
        case .deleteWhere(let c, let kind, let condition):
            return "context \(c): delete \(kind) where \(condition.map { "\($0)" } ?? "true")"
        case .fetch(let c, let kind, let query): return "context \(c): fetch \(kind)\(query)"
        case .count(let c, let kind, let query): return "context \(c): count \(kind)\(query)"
        case .save(let c, let policy): return "context \(c): save, \(policy)"
        case .unique(let c, let policy): return "context \(c): unique values: \(policy)"
        case .convert(let c, let number, let kind): return "context \(c): convert \(number) to \(kind)"
        case .rollback(let c): return "context \(c): rollback"
        case .refresh(let c): return "context \(c): refresh"
        case .transaction(let c, let steps, let fails):
            return "context \(c): transaction {" + steps.map { "\n    \($0)" }.joined() + "\n  }"
                + (fails ? " throws" : "")
        case .endGroup(let c): return "context \(c): end of a group"
        case .undo(let c, let steps, let redoes):
            return "context \(c): undo of {" + steps.map { "\n    \($0)" }.joined() + "\n  }" + (redoes ? ", redo" : "")
        case .undoSaved(let c, let steps, let saves, let redoes, let reads):
            return "context \(c): undo of what was saved, {" + steps.map { "\n    \($0)" }.joined() + "\n  }"
                + (saves ? ", save" : "") + (redoes ? ", redo" : "") + (reads ? ", ends read before" : "")
        case .update(let number, let attribute, let value): return "SQL: \(number).\(attribute) = \(value)"
        case .move(let number, let reference, let target):
            return "SQL: \(number).\(reference.column) = \(target.map { "\($0)" } ?? "NULL")"
        case .erase(let number): return "SQL: delete \(number)"
        case .renew(let c): return "context \(c): a new one"
        }
    }
}

extension GraphValue: CustomStringConvertible {
    var description: String {
        switch self {
        case .empty: "nil"
        case .text(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .key(let key): "the object with the key \(key)"
        }
    }
}

extension GraphSlot: CustomStringConvertible {
    var description: String {
        switch self {
        case .attribute(let attribute): "\(attribute)"
        case .reference(let reference): reference.column
        }
    }
}

extension GraphCondition: CustomStringConvertible {
    var description: String {
        switch self {
        case .number(let attribute, let isMore, let limit): "\(attribute) \(isMore ? ">" : "==") \(limit)"
        case .text(let attribute, let value): "\(attribute) == \(value)"
        case .isAlone(let reference): "\(reference.column) == nil"
        case .target(let reference, let size): "\(reference.column).size == \(size)"
        case .collects(let reference, let size): "\(reference.inverse).contains { size == \(size) }"
        case .not(let a): "!(\(a))"
        case .and(let a, let b): "(\(a)) && (\(b))"
        case .or(let a, let b): "(\(a)) || (\(b))"
        }
    }
}

extension GraphQuery: CustomStringConvertible {
    var description: String {
        (condition.map { " where \($0)" } ?? "")
            + order.map { " by \($0.attribute)\($0.isAscending ? "" : " descending")" }.joined(separator: ",")
            + (reading == .whole ? "" : " \(reading)") + (passesOverUnsaved ? " as stored" : "")
            + (limit.map { " limit \($0)" } ?? "") + (offset.map { " offset \($0)" } ?? "")
    }
}
