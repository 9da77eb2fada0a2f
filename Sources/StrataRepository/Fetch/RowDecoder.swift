package import StrataClient
package import StrataModels

/// Turns rows of a ``SelectList`` into objects, through the identity map: one row, one object, however often it is
/// read.
///
/// A registered object without unsaved changes takes the values of the row; one with changes keeps all of its own, and so does
/// one that was saved after the row was asked for.
package final class RowDecoder {
    /// What each row of one class needs. Its references are not counted, which took a sixth of a fetch's processor time: the list and the registration
    /// hold what they lead to.
    private struct RowClass {
        let layout: Unmanaged<RowLayout>
        let descriptor: Unmanaged<ModelDescriptor>
        let identity: Unmanaged<EntityIdentity>
        let columns: UnsafePointer<Int16>
    }

    private let list: SelectList
    private let registry: any ObjectRegistry
    private let registration: ObjectRegistration
    private let root: EntityMapping
    private let rootIndex: Int16
    private let keyKind: RowKey.Kind
    private let hasClass: Bool
    private let identities: IdentityTable
    private let group: FetchGroup?
    private let readStamp: UInt32
    private let saveStamp: UInt32
    private let replacements: [RowKey: any PersistentModel]
    /// One for each layout of the list.
    private let classes: UnsafeMutableBufferPointer<RowClass>
    /// The columns of all classes, one class after the other.
    private let columns: UnsafeMutablePointer<Int16>
    /// That of the row before.
    @exclusivity(unchecked) private var lastClass: RowClass

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
        rootIndex = Int16(truncatingIfNeeded: root.index)
        keyKind = root.keyKind
        hasClass = list.hasClass
        identities = registry.identities(of: root)
        classes = .allocate(capacity: list.layouts.count)
        columns = .allocate(capacity: list.layouts.reduce(0) { $0 + $1.columns.count })
        var end = columns
        for (place, layout) in list.layouts.enumerated() {
            classes.initializeElement(
                at: place,
                to: RowClass(
                    layout: .passUnretained(layout), descriptor: .passUnretained(layout.entity.descriptor),
                    identity: .passUnretained(registration.identities[layout.entity.index]), columns: end))
            end = layout.columns.write(to: end)
        }
        lastClass = classes[0]
    }

    deinit {
        classes.deallocate()
        columns.deallocate()
    }

    package func check(_ description: PostgresResultDescription) throws {
        try list.check(description)
    }

    package func object(from row: PostgresRow) throws -> any PersistentModel {
        let key = row.key(0, keyKind)
        let rowClass = hasClass ? try rowClass(of: row, key: key) : lastClass
        guard key.isFinal else { throw reserved(key, isMissing: row.bytes(0) == nil) }
        if !replacements.isEmpty, let replacement = replacements[key] { return replacement }
        group?.append(key)
        if let state = identities.state(of: key), let model = state.model {
            guard type(of: model)._$descriptor === rowClass.descriptor.takeUnretainedValue() else {
                guard state.phase == .registered, state.changedSlots.isEmpty else { throw changedClass(rowClass, key) }
                return try newObject(from: row, rowClass, key: key, insteadOf: model)
            }
            if state.phase == .registered, state.changedSlots.isEmpty, state.saveStamp <= saveStamp {
                var reader = RowReader(row: row, columns: rowClass.columns, isNew: false)
                model._$decode(&reader)
                if let failure = reader.failure { throw explain(failure, rowClass, key) }
                state.readStamp = readStamp
                if let group { state.fetchGroup = group }
            }
            return model
        }
        return try newObject(from: row, rowClass, key: key)
    }

    @inline(__always)
    private func newObject(
        from row: PostgresRow, _ rowClass: RowClass, key: RowKey, insteadOf old: (any PersistentModel)? = nil
    ) throws -> any PersistentModel {
        var reader = RowReader(row: row, columns: rowClass.columns, isNew: true)
        let model = rowClass.descriptor._withUnsafeGuaranteedRef { $0.instance(from: &reader) }
        if let failure = reader.failure { throw explain(failure, rowClass, key) }
        if let old { registry.leave(old) }
        register(model, key: key, rowClass)
        if let old { registry.replace(old, by: model) }
        return model
    }

    /// Gives the object its place in the identity map.
    @inline(__always)
    private func register(_ model: any PersistentModel, key: RowKey, _ rowClass: RowClass) {
        let state = model._$state
        state.storeIndex = registration.storeIndex
        state.rootIndex = rootIndex
        rowClass.identity._withUnsafeGuaranteedRef { identity in
            state.register(model, key: key, identity: identity, in: registration.context, phase: .registered)
        }
        identities.insert(state, key: key)
        state.fetchGroup = group
        state.readStamp = readStamp
    }

    /// The class of a row. Rows of one class come in runs, so the last one is tried first.
    private func rowClass(of row: PostgresRow, key: RowKey) throws -> RowClass {
        guard let bytes = row.bytes(1) else { throw list.entity.unknownClass(nil, key: key) }
        func describes(_ rowClass: RowClass) -> Bool {
            rowClass.layout._withUnsafeGuaranteedRef { $0.describes(bytes) }
        }
        if describes(lastClass) { return lastClass }
        guard let found = classes.first(where: describes) else {
            throw list.entity.unknownClass(String(decoding: bytes, as: UTF8.self), key: key)
        }
        lastClass = found
        return found
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
    private func changedClass(_ rowClass: RowClass, _ key: RowKey) -> SwiftDataError {
        let name = rowClass.layout.takeUnretainedValue().entity.name
        return SwiftDataError(
            .conflict,
            "The row of \(root.table.name) with the key \(key) has become a \(name) since this context read it as "
                + "another class and changed it. Roll back, or use a new context.")
    }

    private func explain(_ failure: RowReader.Failure, _ rowClass: RowClass, _ key: RowKey) -> SwiftDataError {
        let layout = rowClass.layout.takeUnretainedValue()
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
