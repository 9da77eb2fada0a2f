import Strata
import StrataClient
import StrataModels
import StrataTestSupport

/// Carries out steps with the library, and looks at what it made of them without making it read anything.
final class GraphMachine {
    /// What one object shows. To-many ends only if they are in memory.
    struct Look {
        let kind: GraphKind
        var number = 0
        var isDeleted = false
        var hasChanges = false
        var values: [GraphSlot: GraphValue] = [:]
        /// What is not in memory.
        var unread: Set<GraphSlot> = []
        var ends: [GraphReference: [RowKey]] = [:]
        /// The other ends of pairs.
        var partners: [RowKey]?
        /// The badges that were given to a site.
        var given: [RowKey]?
    }

    private let container: ModelContainer
    let other: PostgresConnection
    private(set) var contexts: [ModelContext]
    /// Every object that was ever seen, so that the reference model need not guess what is freed.
    private var kept: [[any PersistentModel]]
    private var identifiers: [RowKey: PersistentIdentifier] = [:]
    private let classes = Dictionary(uniqueKeysWithValues: GraphKind.allCases.map { ($0, YardClasses.access(to: $0)) })

    init(_ container: ModelContainer, contexts count: Int, other: PostgresConnection) {
        self.container = container
        self.other = other
        contexts = (0..<count).map { _ in ModelContext(container) }
        kept = Array(repeating: [], count: count)
    }

    // MARK: Steps

    /// - Parameter key: the keys of the objects that steps name.
    func perform(_ step: GraphStep, _ key: (Int) -> RowKey?) throws -> GraphOutcome {
        do {
            return try carryOut(step, key)
        } catch let error as SwiftDataError {
            return .failed(error.code)
        }
    }

    /// The same with the forms that do not block, for the steps that have one.
    func performAwaiting(_ step: GraphStep, _ key: (Int) -> RowKey?) async throws -> GraphOutcome {
        do {
            switch step {
            case .fetch(let c, let kind, let query):
                return found(try await classes[kind]!.fetchAwaiting(query, contexts[c]), c)
            case .count(let c, let kind, let query):
                return .count(try await classes[kind]!.countAwaiting(query, contexts[c]))
            case .save(let c, let policy):
                contexts[c].conflictPolicy = policy
                try await contexts[c].save()
            case .refresh(let c): try await refreshAwaiting(c)
            case .convert(let c, let number, let kind):
                contexts[c].conflictPolicy = .throw
                guard let model = key(number).flatMap({ registered($0, c) }) else {
                    throw GraphDifference("\(number) left context \(c)")
                }
                keep(try await classes[kind]!.convertAwaiting(model, contexts[c]), c)
            default: return try carryOut(step, key)
            }
            return .done
        } catch let error as SwiftDataError {
            return .failed(error.code)
        }
    }

    private func refreshAwaiting(_ c: Int) async throws {
        var failure: SwiftDataError?
        for models in ownByClass(c) {
            do {
                try await access(models[0]).refreshAwaiting(models, contexts[c])
            } catch let error as SwiftDataError {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func found(_ objects: [any PersistentModel], _ c: Int) -> GraphOutcome {
        for object in objects { keep(object, c) }
        return .keys(objects.map(\._$state.key))
    }

    private func carryOut(_ step: GraphStep, _ key: (Int) -> RowKey?) throws -> GraphOutcome {
        func model(_ number: Int, _ c: Int) throws -> any PersistentModel {
            guard let key = key(number), let model = registered(key, c) else {
                throw GraphDifference("\(number) left context \(c)")
            }
            return model
        }
        switch step {
        case .create(let c, let kind, let number, let values, let targets):
            let objects = try targets.mapValues { try model($0, c) }
            let new = classes[kind]!.make(number, objects)
            for (attribute, value) in values { classes[kind]!.set(attribute, to: value, of: new) }
            // In an order that is the same in every process.
            for reference in kind.references where !reference.isRequired {
                if let target = objects[reference] { classes[kind]!.point(reference, of: new, at: target) }
            }
            classes[kind]!.insert(new, contexts[c])
            keep(new, c)
            return .created(new.persistentModelID.key)
        case .set(let c, let number, let attribute, let value):
            let object = try model(number, c)
            access(object).set(attribute, to: value, of: object)
        case .point(let c, let number, let reference, let target):
            let object = try model(number, c)
            access(object).point(reference, of: object, at: try target.map { try model($0, c) })
        case .append(let c, let owner, let reference, let member):
            let (owner, member) = (try model(owner, c), try model(member, c))
            access(owner).assign(access(owner).objects(reference, of: owner) + [member], to: reference, of: owner)
        case .remove(let c, let owner, let reference, let member):
            let (owner, member) = (try model(owner, c), try model(member, c))
            access(owner).assign(
                access(owner).objects(reference, of: owner).filter { $0 !== member }, to: reference, of: owner)
        case .assign(let c, let owner, let reference, let members):
            let owner = try model(owner, c)
            access(owner).assign(try members.map { try model($0, c) }, to: reference, of: owner)
        case .read(let c, let owner, let reference):
            let owner = try model(owner, c)
            let objects = access(owner).objects(reference, of: owner)
            for object in objects { keep(object, c) }
            return .keys(objects.map(\._$state.key))
        case .pair(let c, let person, let skill, let fromSkill):
            relate(try model(person, c), try model(skill, c), fromSkill, isTogether: true)
        case .unpair(let c, let person, let skill, let fromSkill):
            relate(try model(person, c), try model(skill, c), fromSkill, isTogether: false)
        case .readPairs(let c, let number):
            let object = try model(number, c)
            let partners: [any PersistentModel] =
                (object as? Yard.Person)?.skills ?? (object as? Yard.Skill)?.people ?? []
            for partner in partners { keep(partner, c) }
            return .keys(partners.map(\._$state.key))
        case .give(let c, let site, let badge):
            let (site, badge) = (try model(site, c), try model(badge, c))
            if let site = site as? Yard.Site, let badge = badge as? Yard.Badge { site.keys.append(badge) }
        case .withdraw(let c, let site, let badge):
            let (site, badge) = (try model(site, c), try model(badge, c))
            if let site = site as? Yard.Site { site.keys.removeAll { $0 === badge } }
        case .readGiven(let c, let number):
            let badges = (try model(number, c) as? Yard.Site)?.keys ?? []
            for badge in badges { keep(badge, c) }
            return .keys(badges.map(\._$state.key))
        case .delete(let c, let number):
            let object = try model(number, c)
            access(object).delete(object, contexts[c])
        case .keep(let c, let number):
            let object = try model(number, c)
            access(object).insert(object, contexts[c])
        case .deleteWhere(let c, let kind, let condition): try classes[kind]!.deleteWhere(condition, contexts[c])
        case .fetch(let c, let kind, let query):
            return found(try classes[kind]!.fetch(query, contexts[c]), c)
        case .count(let c, let kind, let query): return .count(try classes[kind]!.count(query, contexts[c]))
        case .save(let c, let policy):
            contexts[c].conflictPolicy = policy
            try contexts[c].save()
        case .unique(let c, let policy): contexts[c].uniquePolicy = policy
        case .convert(let c, let number, let kind):
            contexts[c].conflictPolicy = .throw
            keep(try classes[kind]!.convert(try model(number, c), contexts[c]), c)
        case .rollback(let c): contexts[c].rollback()
        case .refresh(let c): try refresh(c)
        case .update, .move, .erase: try writeElsewhere(step, key)
        case .renew(let c):
            kept[c] = []
            contexts[c] = ModelContext(container)
        case .endGroup(let c): contexts[c].processPendingChanges()
        case .transaction, .undo, .undoSaved: break
        }
        return .done
    }

    private func relate(
        _ person: any PersistentModel, _ skill: any PersistentModel, _ fromSkill: Bool, isTogether: Bool
    ) {
        guard let person = person as? Yard.Person, let skill = skill as? Yard.Skill else { return }
        switch (fromSkill, isTogether) {
        case (false, true): person.skills.append(skill)
        case (false, false): person.skills.removeAll { $0 === skill }
        case (true, true): skill.people.append(person)
        case (true, false): skill.people.removeAll { $0 === person }
        }
    }

    /// Everything that is in memory, not only what steps have named: of each class by itself, as its API wants it.
    private func refresh(_ c: Int) throws {
        var failure: SwiftDataError?
        for models in ownByClass(c) {
            do { try access(models[0]).refresh(models, contexts[c]) } catch let error as SwiftDataError {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func ownByClass(_ c: Int) -> [[any PersistentModel]] {
        Dictionary(grouping: own(c), by: { YardClasses.kind(of: $0) }).sorted { $0.key.rawValue < $1.key.rawValue }
            .map(\.value)
    }

    // MARK: Undo

    func beginUndo(_ c: Int) { contexts[c].undoManager = ModelUndoManager() }
    func endUndo(_ c: Int) { contexts[c].undoManager = nil }
    func undo(_ c: Int) {
        while let manager = contexts[c].undoManager, manager.canUndo { manager.undo() }
    }
    func redo(_ c: Int) {
        while let manager = contexts[c].undoManager, manager.canRedo { manager.redo() }
    }

    /// The conflict policy of the save at the end of a transaction.
    func prepareTransaction(_ c: Int) { contexts[c].conflictPolicy = .throw }

    // MARK: Objects

    private func access(_ model: any PersistentModel) -> any GraphAccess { classes[YardClasses.kind(of: model)]! }

    private func keep(_ model: any PersistentModel, _ c: Int) {
        identifiers[model._$state.key] = model.persistentModelID
        if !kept[c].contains(where: { $0 === model }) { kept[c].append(model) }
    }

    private func own(_ c: Int) -> [any PersistentModel] {
        kept[c].filter { $0.modelContext === contexts[c] }
    }

    private func registered(_ key: RowKey, _ c: Int) -> (any PersistentModel)? {
        guard let identifier = identifiers[key] else { return nil }
        // Its class may be another one by now.
        return classes[GraphKind(rawValue: identifier.entityName.lowercased())!.root]!.registered(
            identifier, contexts[c])
    }

    // MARK: Looking

    /// What the objects of a context show.
    ///
    /// - Parameters:
    ///   - keys: what may have got an object without anybody having asked for it.
    ///   - rows: the rows that there are.
    func look(_ c: Int, at keys: Set<RowKey>, rows: Set<RowKey>) -> [RowKey: Look] {
        for key in keys { if let model = registered(key, c) { keep(model, c) } }
        let models = own(c)
        // A number that is not in memory is read, and other things with it, also of other objects.
        for model in models where canBeRead(model, rows) { _ = classes[YardClasses.kind(of: model)]!.number(of: model) }
        return Dictionary(models.map { ($0._$state.key, look(at: $0, rows)) }, uniquingKeysWith: { $1 })
    }

    func lists(_ c: Int) -> (hasChanges: Bool, inserted: [RowKey], changed: [RowKey], deleted: [RowKey]) {
        let context = contexts[c]
        return (
            context.hasChanges, context.insertedModelsArray.map(\._$state.key),
            context.changedModelsArray.map(\._$state.key),
            context.deletedModelsArray.map(\._$state.key)
        )
    }

    private func look(at model: any PersistentModel, _ rows: Set<RowKey>) -> Look {
        let kind = YardClasses.kind(of: model)
        let access = classes[kind]!
        var look = Look(kind: kind)
        look.isDeleted = model.isDeleted
        look.hasChanges = model.hasChanges
        let isNew = model._$state.phase == .inserted
        guard canBeRead(model, rows) else { return look }
        look.number = access.number(of: model)
        for attribute in kind.attributes {
            guard isNew || property(attribute.rawValue, of: model)?.isLoaded(in: model) != false else {
                look.unread.insert(.attribute(attribute))
                continue
            }
            look.values[.attribute(attribute)] = access.value(attribute, of: model)
        }
        for reference in kind.references {
            guard let end = end(reference.column, of: model) else { continue }
            if case .unloaded = end.reference(of: model), !isNew {
                look.unread.insert(.reference(reference))
                continue
            }
            look.values[.reference(reference)] = end.reference(of: model).key.map(GraphValue.key) ?? .empty
        }
        for reference in kind.collections {
            guard let end = end(reference.inverse, of: model) else { continue }
            if end.isToOne {
                if end.isLoaded(in: model) { look.ends[reference] = end.reference(of: model).key.map { [$0] } ?? [] }
            } else {
                look.ends[reference] = end.objects(of: model)?.map(\._$state.key)
            }
        }
        if kind == .person { look.partners = end("skills", of: model)?.objects(of: model)?.map(\._$state.key) }
        if kind == .site { look.given = end("keys", of: model)?.objects(of: model)?.map(\._$state.key) }
        if kind == .skill { look.partners = end("people", of: model)?.objects(of: model)?.map(\._$state.key) }
        return look
    }

    /// What must be read again cannot be where the row is gone, and the next save would say so.
    private func canBeRead(_ model: any PersistentModel, _ rows: Set<RowKey>) -> Bool {
        model._$state.phase == .inserted || rows.contains(model._$state.key)
    }

    private func property(_ name: String, of model: any PersistentModel) -> (any ModelProperty)? {
        type(of: model)._$descriptor.properties.first { $0.name == name }
    }

    private func end(_ name: String, of model: any PersistentModel) -> RelationshipProperty? {
        type(of: model)._$descriptor.relationships.first { $0.name == name }
    }
}

/// What the library did otherwise than the reference model.
struct GraphDifference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
