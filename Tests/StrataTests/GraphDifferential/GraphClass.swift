import Strata

/// What a machine does with objects of one class, whatever the class.
protocol GraphAccess {
    func make(_ number: Int, _ targets: [GraphReference: any PersistentModel]) -> any PersistentModel
    func value(_ attribute: GraphAttribute, of model: any PersistentModel) -> GraphValue
    func set(_ attribute: GraphAttribute, to value: GraphValue, of model: any PersistentModel)
    func target(_ reference: GraphReference, of model: any PersistentModel) -> (any PersistentModel)?
    func point(_ reference: GraphReference, of model: any PersistentModel, at target: (any PersistentModel)?)
    func objects(_ reference: GraphReference, of owner: any PersistentModel) -> [any PersistentModel]
    func assign(_ objects: [any PersistentModel], to reference: GraphReference, of owner: any PersistentModel)
    func fetch(_ query: GraphQuery, _ context: ModelContext) throws -> [any PersistentModel]
    func fetchAwaiting(_ query: GraphQuery, _ context: ModelContext) async throws -> [any PersistentModel]
    func countAwaiting(_ query: GraphQuery, _ context: ModelContext) async throws -> Int
    func refreshAwaiting(_ models: [any PersistentModel], _ context: ModelContext) async throws
    func count(_ query: GraphQuery, _ context: ModelContext) throws -> Int
    func deleteWhere(_ condition: GraphCondition?, _ context: ModelContext) throws
    func refresh(_ models: [any PersistentModel], _ context: ModelContext) throws
    func convert(_ model: any PersistentModel, _ context: ModelContext) throws -> any PersistentModel
    func convertAwaiting(_ model: any PersistentModel, _ context: ModelContext) async throws -> any PersistentModel
    func insert(_ model: any PersistentModel, _ context: ModelContext)
    func delete(_ model: any PersistentModel, _ context: ModelContext)
    func registered(_ identifier: PersistentIdentifier, _ context: ModelContext) -> (any PersistentModel)?
    func number(of model: any PersistentModel) -> Int
}

typealias GraphPath<Root, Value> = any ReferenceWritableKeyPath<Root, Value> & Sendable

/// The key paths of one class, and what is made of them.
struct GraphClass<M: YardModel>: GraphAccess {
    private let numberPath: KeyPath<M, Int>
    private let maker: (Int, [GraphReference: any PersistentModel]) -> M
    private var texts: [GraphAttribute: GraphPath<M, String>] = [:]
    private var numbers: [GraphAttribute: GraphPath<M, Int>] = [:]
    private var notes: [GraphAttribute: GraphPath<M, String?>] = [:]
    private var numberWriters: [GraphAttribute: (M, Int) -> Void] = [:]
    private var noteWriters: [GraphAttribute: (M, String?) -> Void] = [:]
    private var readers: [GraphReference: (M) -> (any PersistentModel)?] = [:]
    private var writers: [GraphReference: (M, (any PersistentModel)?) -> Void] = [:]
    private var collections: [GraphReference: (M) -> [any PersistentModel]] = [:]
    private var assigners: [GraphReference: (M, [any PersistentModel]) -> Void] = [:]
    private var relationships: [PartialKeyPath<M>] = []
    private var alone: [GraphReference: Predicate<M>] = [:]
    private var targets: [GraphReference: (Int) -> Predicate<M>] = [:]
    private var collecting: [GraphReference: (Int) -> Predicate<M>] = [:]

    init(
        _ number: KeyPath<M, Int>, _ name: GraphPath<M, String>, _ size: GraphPath<M, Int>,
        _ note: GraphPath<M, String?>,
        make: @escaping (Int, [GraphReference: any PersistentModel]) -> M
    ) {
        maker = make
        numberPath = number
        texts[.name] = name
        numbers[.size] = size
        notes[.note] = note
    }

    /// - Parameter write: sets the property. A key path would read it first.
    func number(
        _ attribute: GraphAttribute, _ path: GraphPath<M, Int>, _ write: @escaping (M, Int) -> Void
    ) -> Self {
        with {
            $0.numbers[attribute] = path
            $0.numberWriters[attribute] = write
        }
    }

    func optional(
        _ attribute: GraphAttribute, _ path: GraphPath<M, String?>, _ write: @escaping (M, String?) -> Void
    ) -> Self {
        with {
            $0.notes[attribute] = path
            $0.noteWriters[attribute] = write
        }
    }

    /// - Parameter write: sets the property. A key path would read it first.
    func toOne<T: PersistentModel>(
        _ reference: GraphReference, _ path: KeyPath<M, T?>, _ write: @escaping (M, (any PersistentModel)?) -> Void,
        alone: Predicate<M>, target: @escaping (Int) -> Predicate<M>
    ) -> Self {
        with {
            $0.relationships.append(path)
            $0.readers[reference] = { $0[keyPath: path] }
            $0.writers[reference] = write
            $0.alone[reference] = alone
            $0.targets[reference] = target
        }
    }

    func required<T: PersistentModel>(
        _ reference: GraphReference, _ path: KeyPath<M, T>, _ write: @escaping (M, any PersistentModel) -> Void,
        target: @escaping (Int) -> Predicate<M>
    ) -> Self {
        with {
            $0.relationships.append(path)
            $0.readers[reference] = { $0[keyPath: path] }
            $0.writers[reference] = { if let target = $1 { write($0, target) } }
            $0.targets[reference] = target
        }
    }

    func toMany<T: PersistentModel>(
        _ reference: GraphReference, _ path: ReferenceWritableKeyPath<M, [T]>,
        collecting: @escaping (Int) -> Predicate<M>
    ) -> Self {
        with {
            $0.relationships.append(path)
            $0.collections[reference] = { $0[keyPath: path] }
            $0.assigners[reference] = { $0[keyPath: path] = $1.compactMap { $0 as? T } }
            $0.collecting[reference] = collecting
        }
    }

    /// The other end of a one-to-one relationship, as an end with one object at most.
    func partner<T: PersistentModel>(_ reference: GraphReference, _ path: ReferenceWritableKeyPath<M, T?>) -> Self {
        with {
            $0.relationships.append(path)
            $0.collections[reference] = { $0[keyPath: path].map { [$0] } ?? [] }
            $0.assigners[reference] = { $0[keyPath: path] = $1.last as? T }
        }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    // MARK: Objects

    func make(_ number: Int, _ targets: [GraphReference: any PersistentModel]) -> any PersistentModel {
        maker(number, targets)
    }

    func value(_ attribute: GraphAttribute, of model: any PersistentModel) -> GraphValue {
        guard let model = model as? M else { return .empty }
        if let path = texts[attribute] { return .text(model[keyPath: path]) }
        if let path = numbers[attribute] { return .number(model[keyPath: path]) }
        if let path = notes[attribute] { return model[keyPath: path].map(GraphValue.text) ?? .empty }
        return .empty
    }

    func set(_ attribute: GraphAttribute, to value: GraphValue, of model: any PersistentModel) {
        guard let model = model as? M else { return }
        switch (attribute, value) {
        case (.name, .text(let text)): model.name = text
        case (.size, .number(let number)): model.size = number
        case (.note, .text(let text)): model.note = text
        case (.note, .empty): model.note = nil
        case (_, .number(let number)): numberWriters[attribute]?(model, number)
        case (_, .text(let text)): noteWriters[attribute]?(model, text)
        case (_, .empty): noteWriters[attribute]?(model, nil)
        case (_, .key): break
        }
    }

    func target(_ reference: GraphReference, of model: any PersistentModel) -> (any PersistentModel)? {
        (model as? M).flatMap { readers[reference]?($0) ?? nil }
    }

    func point(_ reference: GraphReference, of model: any PersistentModel, at target: (any PersistentModel)?) {
        if let model = model as? M { writers[reference]?(model, target) }
    }

    func objects(_ reference: GraphReference, of owner: any PersistentModel) -> [any PersistentModel] {
        (owner as? M).flatMap { collections[reference]?($0) } ?? []
    }

    func assign(_ objects: [any PersistentModel], to reference: GraphReference, of owner: any PersistentModel) {
        if let owner = owner as? M { assigners[reference]?(owner, objects) }
    }

    func number(of model: any PersistentModel) -> Int { (model as? M)?[keyPath: numberPath] ?? -1 }

    // MARK: Contexts

    func registered(_ identifier: PersistentIdentifier, _ context: ModelContext) -> (any PersistentModel)? {
        let model: M? = context.registeredModel(for: identifier)
        return model
    }

    func convert(_ model: any PersistentModel, _ context: ModelContext) throws -> any PersistentModel {
        try context.convert(model, to: M.self)
    }

    func convertAwaiting(_ model: any PersistentModel, _ context: ModelContext) async throws -> any PersistentModel {
        try await context.convert(model, to: M.self)
    }

    func insert(_ model: any PersistentModel, _ context: ModelContext) {
        if let model = model as? M { context.insert(model) }
    }

    func delete(_ model: any PersistentModel, _ context: ModelContext) {
        if let model = model as? M { context.delete(model) }
    }

    func fetch(_ query: GraphQuery, _ context: ModelContext) throws -> [any PersistentModel] {
        try context.fetch(descriptor(query))
    }

    func count(_ query: GraphQuery, _ context: ModelContext) throws -> Int {
        try context.fetchCount(descriptor(query))
    }

    func deleteWhere(_ condition: GraphCondition?, _ context: ModelContext) throws {
        try context.delete(model: M.self, where: condition.map(predicate))
    }

    func fetchAwaiting(_ query: GraphQuery, _ context: ModelContext) async throws -> [any PersistentModel] {
        try await context.fetch(descriptor(query))
    }

    func countAwaiting(_ query: GraphQuery, _ context: ModelContext) async throws -> Int {
        try await context.fetchCount(descriptor(query))
    }

    func refreshAwaiting(_ models: [any PersistentModel], _ context: ModelContext) async throws {
        try await context.refresh(models.compactMap { $0 as? M })
    }

    func refresh(_ models: [any PersistentModel], _ context: ModelContext) throws {
        try context.refresh(models.compactMap { $0 as? M })
    }

    // MARK: Queries

    private func descriptor(_ query: GraphQuery) -> FetchDescriptor<M> {
        var descriptor = FetchDescriptor<M>(predicate: query.condition.map(predicate), sortBy: query.order.map(sort))
        descriptor.fetchLimit = query.limit
        descriptor.fetchOffset = query.offset
        descriptor.includePendingChanges = !query.passesOverUnsaved
        switch query.reading {
        case .whole: break
        case .partial: descriptor.propertiesToFetch = [numberPath, texts[.name]!]
        case .prefetching: descriptor.relationshipKeyPathsForPrefetching = relationships
        }
        return descriptor
    }

    private func sort(_ order: GraphQuery.Order) -> SortDescriptor<M> {
        let direction: SortOrder = order.isAscending ? .forward : .reverse
        if let path = texts[order.attribute] { return SortDescriptor(path, order: direction) }
        if let path = notes[order.attribute] { return SortDescriptor(path, order: direction) }
        return SortDescriptor(numbers[order.attribute] ?? numbers[.size]!, order: direction)
    }

    private func predicate(_ condition: GraphCondition) -> Predicate<M> {
        switch condition {
        case .number(let attribute, let isMore, let limit):
            let path = numbers[attribute] ?? numbers[.size]!
            return isMore ? Self.isMore(path, limit) : Self.isEqual(path, limit)
        case .text(let attribute, let value):
            let text: String? = if case .text(let text) = value { text } else { nil }
            if let path = texts[attribute] { return Self.isEqual(path, text ?? "") }
            return Self.isEqual(notes[attribute] ?? notes[.note]!, text)
        case .isAlone(let reference): return alone[reference]!
        case .target(let reference, let size): return targets[reference]!(size)
        case .collects(let reference, let size): return collecting[reference]!(size)
        case .not(let condition):
            let a = predicate(condition)
            return #Predicate<M> { !a.evaluate($0) }
        case .and(let one, let other):
            let (a, b) = (predicate(one), predicate(other))
            return #Predicate<M> { a.evaluate($0) && b.evaluate($0) }
        case .or(let one, let other):
            let (a, b) = (predicate(one), predicate(other))
            return #Predicate<M> { a.evaluate($0) || b.evaluate($0) }
        }
    }

    private static func isEqual<Value: Equatable & Codable & Sendable>(
        _ path: any KeyPath<M, Value> & Sendable, _ value: Value
    ) -> Predicate<M> {
        Predicate<M> { object in
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.build_KeyPath(root: object, keyPath: path),
                rhs: PredicateExpressions.build_Arg(value))
        }
    }

    private static func isMore(_ path: any KeyPath<M, Int> & Sendable, _ limit: Int) -> Predicate<M> {
        Predicate<M> { object in
            PredicateExpressions.build_Comparison(
                lhs: PredicateExpressions.build_KeyPath(root: object, keyPath: path),
                rhs: PredicateExpressions.build_Arg(limit), op: .greaterThan)
        }
    }
}
