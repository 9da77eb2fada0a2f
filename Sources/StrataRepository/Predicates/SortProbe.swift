import Foundation
import StrataClient
import StrataModels

/// Follows a key path by reading it on an object without values, and noting what it asks for.
///
/// That is the way to understand `\Trip.owner?.name`: the parts of a key path are not to be had, and `?` cannot be appended
/// to one. What was found is tried with sample values afterwards, because a computed property reads stored ones too: it
/// runs on an object without values here, where each stored one gives what stands in for a value that could not be loaded.
final class SortProbe: ObjectContext {
    private var objects: [any PersistentModel] = []
    private var steps: [any ModelProperty] = []
    /// Whether each relationship was read of the object that the one before leads to.
    private var isChain = true
    /// The place of the relationship that leads to nothing.
    private let absent: Int?

    private init(absent: Int? = nil) { self.absent = absent }

    /// The relationships and the attribute that `keyPath` leads through; `nil` when it is anything else.
    static func steps(of keyPath: AnyKeyPath, from start: ModelDescriptor) -> [any ModelProperty]? {
        guard unsafe(start) == nil else { return nil }
        let probe = SortProbe()
        guard let steps = withExtendedLifetime(probe, { probe.follow(keyPath, from: start) }),
            endsWithEach(steps, keyPath, start)
        else { return nil }
        return steps
    }

    /// The relationships through which `keyPath` leads to the identifier of an object; `nil` when it leads to anything else.
    static func relationships(of keyPath: AnyKeyPath, from start: ModelDescriptor) -> [any ModelProperty]? {
        guard unsafe(start) == nil else { return nil }
        let probe = SortProbe()
        let steps: [any ModelProperty]? = withExtendedLifetime(probe) {
            let root = probe.make(start)
            guard let value = (root as Any)[keyPath: keyPath], case .constant(let read) = PredicateOperand(value),
                read as? PersistentIdentifier == probe.objects.last?.persistentModelID, probe.isChain,
                probe.steps.allSatisfy({ $0 is RelationshipProperty })
            else { return nil }
            return probe.steps
        }
        guard let steps, endsWithEach(steps, keyPath, start) else { return nil }
        return steps
    }

    /// Whether the path gives nothing where one of its relationships leads to nothing: a computed property may go on elsewhere.
    private static func endsWithEach(
        _ steps: [any ModelProperty], _ keyPath: AnyKeyPath, _ start: ModelDescriptor
    ) -> Bool {
        steps.enumerated().allSatisfy { place, step in
            guard let relationship = step as? RelationshipProperty, relationship.isOptional else { return true }
            let probe = SortProbe(absent: place)
            return withExtendedLifetime(probe) {
                guard let value = (probe.make(start) as Any)[keyPath: keyPath], case .null = PredicateOperand(value)
                else { return false }
                return probe.steps.count == place + 1
            }
        }
    }

    private func follow(_ keyPath: AnyKeyPath, from start: ModelDescriptor) -> [any ModelProperty]? {
        let root = make(start)
        _ = (root as Any)[keyPath: keyPath]
        guard let attribute = steps.last as? AnyAttributeProperty, let owner = objects.last, isChain,
            steps.dropLast().allSatisfy({ $0 is RelationshipProperty })
        else { return nil }
        let found = steps
        let decoder = SampleDecoder(trueFlag: 0)
        for _ in 0..<2 {
            guard let sample = Self.write(attribute, of: owner, from: decoder),
                Self.same((root as Any)[keyPath: keyPath], sample)
            else { return nil }
        }
        // A computed property may give what is stored for these only: "unknown" for an empty text, no number below zero.
        for leaves in SampleDecoder.Leaves.others {
            guard let sample = Self.write(attribute, of: owner, from: SampleDecoder(trueFlag: 0, leaves: leaves)) else {
                continue
            }
            guard Self.same((root as Any)[keyPath: keyPath], sample) else { return nil }
        }
        if attribute.isOptional {
            Self.writeNil(attribute, of: owner)
            guard let result = (root as Any)[keyPath: keyPath], case .null = PredicateOperand(result) else {
                return nil
            }
        }
        return found
    }

    private func make(_ descriptor: ModelDescriptor) -> any PersistentModel {
        let model = withUnloadedRow(descriptor) { descriptor.instance(from: &$0) }
        let identity = EntityIdentity(store: nil, entityName: descriptor.entityName)
        objects.append(model)
        // A key that no row has.
        model._$state.register(
            model, key: RowKey(-Int64(objects.count)), identity: identity, in: self, phase: .registered)
        return model
    }

    // MARK: Parts of Codable values

    /// The coding keys of the part that `keyPath` reads of the value at the end of `steps`; `nil` where they cannot be found out.
    static func codingKeys(
        of keyPath: AnyKeyPath, through steps: [any ModelProperty], from start: ModelDescriptor
    ) -> [String]? {
        guard let attribute = steps.last as? AnyAttributeProperty, unsafe(start) == nil,
            endsWithEach(steps, keyPath, start)
        else { return nil }
        let probe = SortProbe()
        return withExtendedLifetime(probe) {
            let root = probe.make(start)
            for step in steps.dropLast() {
                _ = (probe.objects[probe.objects.count - 1] as Any)[keyPath: step.keyPath as AnyKeyPath]
            }
            let owner = probe.objects[probe.objects.count - 1]
            // Whatever asks for another property is no part of this one.
            func read() -> Any? {
                let asked = probe.steps.count
                let part = (root as Any)[keyPath: keyPath]
                return probe.steps.count == asked ? part : nil
            }
            let keys = CodingPath.keys(in: attribute.valueType) { sample in
                write(sample, to: attribute, of: owner) ? read() : nil
            }
            guard attribute.isOptional, type(of: keyPath).valueType is any OptionalValue.Type else { return keys }
            writeNil(attribute, of: owner)
            guard let nothing = read(), case .null = PredicateOperand(nothing) else { return nil }
            return keys
        }
    }

    private static func write(_ value: Any, to property: AnyAttributeProperty, of model: any PersistentModel) -> Bool {
        func open<V>(_: V.Type) -> Bool { (value as? V).map { write($0, property, model) } ?? false }
        return open(property.valueType)
    }

    // MARK: Samples

    /// A property of which a getter could return nothing, in a class that the path may lead to: nothing is tried then.
    static func unsafe(_ start: ModelDescriptor) -> AnyAttributeProperty? {
        var seen: [ModelDescriptor] = []
        var pending = [start]
        while let descriptor = pending.popLast() {
            guard !seen.contains(where: { $0 === descriptor }) else { continue }
            seen.append(descriptor)
            pending += descriptor.relationships.filter(\.isToOne).map(\.destination)
            for case let attribute as AnyAttributeProperty in descriptor.properties where !attribute.hasStandIn {
                return attribute
            }
        }
        return nil
    }

    /// Gives a property a value; not through its setter, which what the database computes has not.
    private static func put(_ value: Any, into property: AnyAttributeProperty, of model: any PersistentModel) -> Bool {
        guard let original = property.original(of: value) else { return false }
        var originals = OriginalsReader([original])
        model._$restore(&originals)
        return property.isLoaded(in: model)
    }

    /// Writes a sample and returns it; `nil` when there is none of this type, or the property cannot be written.
    private static func write(
        _ property: AnyAttributeProperty, of model: any PersistentModel, from decoder: SampleDecoder
    ) -> Any? {
        func open<V>(_: V.Type) -> Any? {
            guard let type = V.self as? any Decodable.Type, let sample = decoder.value(of: type) as? V,
                write(sample, property, model)
            else { return nil }
            return sample
        }
        return open(property.valueType)
    }

    private static func writeNil(_ property: AnyAttributeProperty, of model: any PersistentModel) {
        func open<V>(_: V.Type) {
            guard let type = V.self as? any OptionalValue.Type, let nothing = type.nothing as? V else { return }
            _ = write(nothing, property, model)
        }
        open(property.valueType)
    }

    private static func write<V>(_ value: V, _ property: AnyAttributeProperty, _ model: some PersistentModel) -> Bool {
        func open<M: PersistentModel>(_ model: M) -> Bool {
            guard let keyPath = property.keyPath as? ReferenceWritableKeyPath<M, V> else {
                return property.isGenerated && put(value, into: property, of: model)
            }
            model[keyPath: keyPath] = value
            return true
        }
        return open(model)
    }

    /// Whether the path read the sample: itself, or what descriptors sort by in its place.
    private static func same(_ read: Any?, _ sample: Any) -> Bool {
        guard let result = read, case .constant(let constant) = PredicateOperand(result),
            case .constant(let sample) = PredicateOperand(sample)
        else { return false }
        let read = (constant as? any SortKey)?.stored ?? constant
        if let raw = (sample as? any RawRepresentable)?.rawValue as? AnyHashable, raw == read as? AnyHashable {
            return true
        }
        return (read as? AnyHashable) == (sample as? AnyHashable)
    }

    // MARK: ObjectContext

    var isProbe: Bool { true }

    func loadRelationship(_ property: RelationshipProperty, of model: any PersistentModel) {
        isChain = isChain && model === objects.last
        steps.append(property)
        guard property.isToOne else { return }
        guard absent != steps.count - 1 else { return property.setReference(.none, of: model) }
        property.setReference(.object(make(property.destination)), of: model)
    }

    func loadAttribute(_ property: any ModelProperty, of model: any PersistentModel) {
        isChain = isChain && model === objects.last
        steps.append(property)
    }

    func registered(key: RowKey, root: ModelDescriptor) -> (any PersistentModel)? { nil }
    func forget(_ state: ModelState) {}
    func modelDidChange(_ state: ModelState) {}
    func insertedModelDidChange(_ state: ModelState) {}
    func insertRelated(_ model: any PersistentModel) {}
    func noteUnfulfilled(_ property: any ModelProperty, of model: any PersistentModel) {}
    func noteForeignObject(_ property: RelationshipProperty, of model: any PersistentModel) {}
}
