package import StrataClient
package import StrataModels

/// Turns rows of a ``SelectList`` into objects, through the identity map: one row, one object, however often it is
/// read.
///
/// A registered object without unsaved changes takes the values of the row; one with changes keeps all of its own, and so does
/// one that was saved after the row was asked for.
package final class RowDecoder {
    private let list: SelectList
    private let registry: any ObjectRegistry
    private let registration: ObjectRegistration
    private let root: EntityMapping
    private let keyKind: RowKey.Kind
    private let identities: IdentityTable
    private let group: FetchGroup?
    private let readStamp: UInt32
    private let saveStamp: UInt32
    private let replacements: [RowKey: any PersistentModel]
    @exclusivity(unchecked) private var lastLayout: RowLayout

    /// - Parameters:
    ///   - replacements: new objects that will take over rows, by the rows' keys: they stand for them already.
    ///   - saveStamp: of the registry, when the rows were asked for; `nil` if that is now.
    package init(
        _ list: SelectList, registry: any ObjectRegistry, group: FetchGroup?,
        replacements: [RowKey: any PersistentModel] = [:], saveStamp: UInt32? = nil
    ) {
        self.list = list
        self.replacements = replacements
        self.registry = registry
        self.group = group
        readStamp = registry.readStamp
        self.saveStamp = saveStamp ?? registry.saveStamp
        registration = registry.registration
        root = list.entity.root
        keyKind = root.keyKind
        identities = registry.identities(of: root)
        lastLayout = list.layouts[0]
    }

    package func check(_ description: PostgresResultDescription) throws {
        try list.check(description)
    }

    package func object(from row: PostgresRow) throws -> any PersistentModel {
        let key = row.key(0, keyKind)
        let layout = list.hasClass ? try layout(of: row, key: key) : lastLayout
        guard key.isFinal else { throw reserved(key, isMissing: row.bytes(0) == nil) }
        if !replacements.isEmpty, let replacement = replacements[key] { return replacement }
        group?.append(key)
        if let state = identities.state(of: key), let model = state.model {
            guard type(of: model)._$descriptor === layout.entity.descriptor else {
                guard state.phase == .registered, state.changedSlots.isEmpty else { throw changedClass(layout, key) }
                return try newObject(from: row, layout, key: key, insteadOf: model)
            }
            if state.phase == .registered, state.changedSlots.isEmpty, state.saveStamp <= saveStamp {
                let failure = layout.columns.withReader(of: row, isNew: false) { reader in
                    model._$decode(&reader)
                    return reader.failure
                }
                if let failure { throw explain(failure, layout, key) }
                state.readStamp = readStamp
                if let group { state.fetchGroup = group }
            }
            return model
        }
        return try newObject(from: row, layout, key: key)
    }

    @inline(__always)
    private func newObject(
        from row: PostgresRow, _ layout: RowLayout, key: RowKey, insteadOf old: (any PersistentModel)? = nil
    ) throws -> any PersistentModel {
        let (model, failure) = layout.columns.withReader(of: row, isNew: true) { reader in
            let model = layout.entity.descriptor.instance(from: &reader)
            return (model, reader.failure)
        }
        if let failure { throw explain(failure, layout, key) }
        if let old { registry.leave(old) }
        register(model, key: key, entity: layout.entity)
        if let old { registry.replace(old, by: model) }
        return model
    }

    /// Gives the object its place in the identity map.
    @inline(__always)
    private func register(_ model: any PersistentModel, key: RowKey, entity: EntityMapping) {
        let state = model._$state
        state.storeIndex = registration.storeIndex
        state.rootIndex = Int16(truncatingIfNeeded: root.index)
        state.register(
            model, key: key, identity: registration.identities[entity.index], in: registration.context,
            phase: .registered)
        identities.insert(state, key: key)
        state.fetchGroup = group
        state.readStamp = readStamp
    }

    /// The layout of the row's class. Rows of one class come in runs, so the last one is tried first.
    private func layout(of row: PostgresRow, key: RowKey) throws -> RowLayout {
        guard let bytes = row.bytes(1) else { throw list.entity.unknownClass(nil, key: key) }
        if lastLayout.describes(bytes) { return lastLayout }
        guard let layout = list.layouts.first(where: { $0.describes(bytes) }) else {
            throw list.entity.unknownClass(String(decoding: bytes, as: UTF8.self), key: key)
        }
        lastLayout = layout
        return layout
    }

    private func reserved(_ key: RowKey, isMissing: Bool) -> SwiftDataError {
        if isMissing {
            let columns =
                root.key.parts.count == 1
                ? "its column \(root.key.first)" : "one of its columns \(root.key.description), which are it together,"
            return SwiftDataError(
                .invalidValue,
                "A row of \(root.table.name) has no key: \(columns) has NULL, and no object of \(root.name) can have that. Give each row a value there."
            )
        }
        return SwiftDataError(
            .invalidValue,
            "A row of \(root.table.name) has the key 0 or one below it (\(key), in \(root.key.description)), and no object of \(root.name) can have it: these "
                + "stand for no row. Give it another key.")
    }

    /// A Swift object cannot become one of another class. One without changes gives way to another object; what was changed in
    /// this one must not be lost.
    private func changedClass(_ layout: RowLayout, _ key: RowKey) -> SwiftDataError {
        SwiftDataError(
            .conflict,
            "The row of \(root.table.name) with the key \(key) has become a \(layout.entity.name) since this context read it as "
                + "another class and changed it. Roll back, or use a new context.")
    }

    private func explain(_ failure: RowReader.Failure, _ layout: RowLayout, _ key: RowKey) -> SwiftDataError {
        let property = layout.entity.descriptor.properties[failure.slot]
        let place = layout.entity.columns[failure.slot].map {
            "\(layout.entity.owner(ofSlot: failure.slot).table.name).\($0.name)"
        }
        return SwiftDataError(
            .invalidValue,
            "\(property.qualifiedName) of the \(layout.entity.name) with the key \(key) cannot be read from "
                + "\(place ?? "its column"): \(failure.error.sentence)",
            identifiers: [PersistentIdentifier(identity: registration.identities[layout.entity.index], key: key)],
            underlying: failure.error)
    }
}
