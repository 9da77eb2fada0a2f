import StrataClient
import StrataModels

/// Says in the words of the model what the server refused.
struct SaveExplanation {
    let request: SaveRequest
    let mapping: StoreMapping
    /// The statement that failed, if it is known.
    let statement: SaveStatement?

    func explain(_ error: any Error) -> SwiftDataError {
        if let error = error as? SwiftDataError { return error }
        if error is UpdateMismatch { return changedMeanwhile() }
        guard let error = error as? PostgresError else {
            return SwiftDataError(.storeFailure, "The changes were not saved: \(error)")
        }
        if error.code == .outcomeUnknown {
            return SwiftDataError(
                .outcomeUnknown,
                "The connection was lost while the changes were being committed: they are stored, or they are not. Fetch the "
                    + "objects to find out before saving them again.", underlying: error)
        }
        if let refusal = ServerRefusal(error, mapping: mapping) { return refusal.error(store: storeIdentifier) }
        switch error.sqlState {
        case "23505": return uniqueViolation(error)
        case "23503", "23001": return referenceViolation(error)
        case _ where error.saysInvalidValue:
            return BrokenRule(error, mapping: mapping)?.error(of: objects)
                ?? MissingPartition(error, mapping: mapping)?.error(of: objects) ?? invalidValue(error)
        case "40001", "40P01":
            return SwiftDataError(
                .storeFailure,
                "Another transaction stood in the way. Nothing was saved; the same save may succeed when it is done again.",
                underlying: error)
        case UpdateStatement.mismatch where classChange != nil:
            let name = classChange?.from.name ?? ""
            return SwiftDataError(
                .conflict,
                "The \(name) has been deleted, or is an object of another class in the database by now. Fetch again and repeat the "
                    + "change.", identifiers: request.classChange.map { [$0.model.persistentModelID] } ?? [],
                details: error.debugDescription)
        case UpdateStatement.mismatch where isUpdate:
            return changedMeanwhile(error)
        case UpdateStatement.mismatch where isLink:
            return SwiftDataError(
                .modelNotFound,
                "\(objects) has an object that is not in the database any more. Take it out.",
                details: error.debugDescription, underlying: error)
        default:
            return SwiftDataError(.storeFailure, "The changes were not saved.", underlying: error)
        }
    }

    private func changedMeanwhile(_ error: PostgresError? = nil) -> SwiftDataError {
        SwiftDataError(
            .conflict, "\(objects) changed in the database since it was read. Fetch again and repeat the change.",
            details: error?.debugDescription)
    }

    private var isUpdate: Bool {
        if case .update = statement?.kind { true } else { false }
    }

    private var isLink: Bool {
        if case .link = statement?.kind { true } else { false }
    }

    private var classChange: (from: EntityMapping, to: EntityMapping)? {
        if case .classChange(let from, let to)? = statement?.kind { (from, to) } else { nil }
    }

    /// What the failed statement wrote, for sentences.
    private var objects: String {
        switch statement?.kind {
        case .insert(let entities): entities.map(\.name).joined(separator: ", ")
        case .update(let group): group.written.map(\.propertyName).joined(separator: ", ")
        case .delete(let entity), .softDelete(let entity): entity.name
        case .link(let relationship): relationship.property.qualifiedName
        case .classChange(_, let new): new.name
        case .lookup, .setting, nil: "An object"
        }
    }

    // MARK: Constraints

    private func uniqueViolation(_ error: PostgresError) -> SwiftDataError {
        let entity = entity(error)
        let properties = error.keyColumns.map { property($0, entity) }
        let what =
            properties.isEmpty
            ? error.constraint.map { "the constraint \($0)" } ?? "a constraint" : properties.joined(separator: ", ")
        // The server compares row by row, so a value is taken until the row that gives it up was written.
        let exchange =
            changesSeveral(error.keyColumns, of: entity)
            ? " Where objects exchange values, or one takes what another gives up, save the one that gives up first, with a third value "
                + "if need be." : ""
        return SwiftDataError(
            .uniqueConstraint,
            "Another object has the same \(what)\(error.isRegardlessOfCase ? ", regardless of case" : ""). Change the value, or fetch that object and change it.\(exchange)",
            details: error.detail, underlying: error)
    }

    /// Whether these columns change in more than one object.
    private func changesSeveral(_ columns: [String], of entity: EntityMapping?) -> Bool {
        guard isUpdate, let entity else { return false }
        let slots = SlotSet(entity.base.tableColumns.filter { columns.contains($0.name) }.compactMap(\.slot))
        let changed = request.changed.lazy.filter { model in
            var unchanged = slots
            unchanged.subtract(model._$state.changedSlots)
            return unchanged != slots && mapping.entity(for: type(of: model))?.root === entity.root
        }
        return changed.prefix(2).count == 2
    }

    private func referenceViolation(_ error: PostgresError) -> SwiftDataError {
        let entity = entity(error)
        let place = reference(error, entity)
        let name = place?.column.propertyName ?? error.constraint ?? "a relationship"
        if case .delete(let deleted) = statement?.kind {
            let identifiers = keys(error, of: deleted.key).compactMap { key in
                request.deleted.first { $0._$state.key == key }?.persistentModelID
            }
            return SwiftDataError(
                .deleteDenied,
                "\((place?.destination ?? deleted).name) cannot be deleted: \(name) of objects that stay refers to it. Delete those too, or let them "
                    + "refer to something else, or give the relationship another delete rule.",
                identifiers: identifiers, details: error.detail, underlying: error)
        }
        let identifiers: [PersistentIdentifier] =
            if let destination = place?.destination, let store = storeIdentifier {
                keys(error, of: destination.key).map {
                    PersistentIdentifier(identity: EntityIdentity(store: store, entityName: destination.name), key: $0)
                }
            } else {
                []
            }
        return SwiftDataError(
            .modelNotFound,
            "\(name) refers to an object that is not in the database any more. Set it to another one, or to nil.",
            identifiers: identifiers, details: error.detail, underlying: error)
    }

    private func invalidValue(_ error: PostgresError) -> SwiftDataError {
        if let texts = tooLongTexts(error) {
            return SwiftDataError(
                .invalidValue,
                "\(texts) cannot be searched: the words of an object's texts take more than 1 MB together, which no index holds (PostgreSQL "
                    + "manual, 12.11). Shorten the text, or search another property, with the beginning of it.",
                underlying: error)
        }
        if error.sqlState == "23514", let constraint = error.constraint {
            return SwiftDataError(
                .invalidValue,
                "\(objects): the constraint \(constraint) of the database refuses it. Change it so that the constraint holds.",
                details: error.detail, underlying: error)
        }
        if let refusal = uncomputable(error) { return refusal }
        let read = error.sqlState == "22P02" ? propertiesReadByServer : []
        let name =
            error.column.map { property($0, entity(error)) } ?? (read.isEmpty ? objects : read.joined(separator: ", "))
        return SwiftDataError(
            .invalidValue, "\(name) has a value that the database does not take.", details: error.detail,
            underlying: error)
    }

    /// What the server could not compute of an object, such as a product that no `bigint` holds: it names neither column nor row, so memory is asked.
    private func uncomputable(_ error: PostgresError) -> SwiftDataError? {
        guard ["22003", "22012"].contains(error.sqlState) else { return nil }
        for model in request.inserted + request.changed {
            guard let entity = mapping.entity(for: type(of: model)), !entity.generatedColumns.isEmpty else { continue }
            for generated in entity.chain.flatMap(\.entity.modelGenerated) {
                guard let slot = entity.descriptor.property(named: generated.name)?.slot,
                    let sources = entity.generatedColumns[slot]?.sources.slots.map({ entity.descriptor.properties[$0] }
                    ),
                    // Nothing is read here.
                    sources.allSatisfy({ $0.isLoaded(in: model) }), let failure = generated.declared?.failure(model)
                else { continue }
                return SwiftDataError(
                    .invalidValue,
                    "\(entity.descriptor.properties[slot].qualifiedName) cannot be computed of what the object has: \(failure). Change "
                        + "\(sources.map(\.qualifiedName).joined(separator: " or ")).",
                    identifiers: [model.persistentModelID], details: error.detail, underlying: error)
            }
        }
        return nil
    }

    /// The properties that the failed statement sent as texts for the server to read. It does not say which of them it could not read.
    private var propertiesReadByServer: [String] {
        let columns =
            switch statement?.kind {
            case .insert(let entities):
                entities.flatMap { owner in owner.tableValueSlots.compactMap { owner.columns[$0] }.map { (owner, $0) } }
            case .update(let group): group.written.map { (group.owner, $0) }
            default: [] as [(EntityMapping, Column)]
            }
        return columns.filter { owner, column in owner.conversion(of: column.name) != nil }.map(\.1.propertyName)
    }

    /// The properties of a full-text index that has no room for their words; `nil` for any other error.
    private func tooLongTexts(_ error: PostgresError) -> String? {
        guard error.sqlState == "54000", error.serverMessage?.contains("tsvector") == true else { return nil }
        let texts = mapping.entities.flatMap { entity -> [String] in
            let searched = entity.entity.modelIndices.filter { $0.method.language != nil }.flatMap(\.names)
            let names = searched.map { "\(entity.name).\($0)" }
            switch statement?.kind {
            case .insert(let entities):
                return entities.contains { $0.descriptor.inherits(from: entity.descriptor) } ? names : []
            case .update(let group): return group.written.contains { names.contains($0.propertyName) } ? names : []
            default: return names
            }
        }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    // MARK: Names

    private func entity(_ error: PostgresError) -> EntityMapping? { mapping.entity(of: error) }

    private func property(_ column: String, _ entity: EntityMapping?) -> String {
        entity?.propertyName(ofColumn: column)
            ?? [entity?.name ?? entity?.table.name, column].compactMap { $0 }.joined(separator: ".")
    }

    private var storeIdentifier: String? {
        (request.inserted.first ?? request.changed.first ?? request.deleted.first ?? request.classChange?.model)?
            ._$state.identity?.store
    }

    /// The foreign key that was violated, told by its columns: while a stage is under way, or behind it, a name may be another one's. Of a refused
    /// deletion, where the server names the columns of the key, it is one of those that lead to what is deleted.
    private func reference(_ error: PostgresError, _ entity: EntityMapping?) -> (
        column: Column, destination: EntityMapping?
    )? {
        guard let entity else {
            guard let join = mapping.joinTables.first(where: { $0.table.isNamed(by: error) }) else { return nil }
            let column = Column(
                name: join.firstKey.first, type: join.first.keyKind.type, transportType: join.first.keyKind.type,
                isNullable: false, slot: nil,
                propertyName: join.propertyName, isExternal: false)
            return (column, nil)
        }
        let references = entity.base.foreignKeys(in: mapping)
        let columns = error.keyColumns
        let candidates =
            if case .delete(let deleted) = statement?.kind {
                references.filter { $0.target.root === deleted.root }
            } else {
                columns.isEmpty ? references : references.filter { $0.column.tableNames == columns }
            }
        let table = entity.base.table.name
        let named = candidates.first { error.constraint == $0.relationship.constraint(of: $0.column, in: table) }
        guard let found = candidates.count == 1 ? candidates[0] : named else { return nil }
        return (found.column, found.relationship.isHidden ? nil : found.target)
    }

    /// The keys in `Key (trip)=(17)`.
    private func keys(_ error: PostgresError, of key: KeyColumns) -> [RowKey] {
        guard let detail = error.detail, let start = detail.firstRange(of: ")=(") else { return [] }
        guard key.isSingle else {
            // A text may have a comma itself: then nobody can tell.
            let texts = detail[start.upperBound...].prefix { $0 != ")" }.split(
                separator: ", ", omittingEmptySubsequences: false)
            let parts = zip(texts, key.kinds).compactMap { $1 == .text ? RowKey(text: String($0)) : RowKey($0, of: $1) }
            guard texts.count == key.parts.count, parts.count == texts.count else { return [] }
            return RowKey(parts: parts).map { [$0] } ?? []
        }
        let kind = key.kinds[0]
        // A text may have any of these marks itself.
        if kind == .text {
            let end = detail[start.upperBound...].lastIndex(of: ")")
            return end.flatMap { RowKey(text: String(detail[start.upperBound..<$0])) }.map { [$0] } ?? []
        }
        guard let end = detail[start.upperBound...].firstIndex(of: ")") else { return [] }
        return detail[start.upperBound..<end].split(separator: ", ").compactMap { RowKey(numberOrUUID: $0) }
    }
}
