import StrataClient
import StrataModels
import StrataRepository

/// The objects of the batch that is read. It knows no class: code that is generic over it looks types up for every row.
final class EnumeratedBatch {
    // Both without checks for overlapping access: they are used for every row.
    @exclusivity(unchecked) var decoder: RowDecoder?
    @exclusivity(unchecked) private var objects: [AnyObject] = []

    func take(_ row: PostgresRow) throws {
        guard let decoder else { return }
        objects.append(try decoder.object(from: row))
    }

    /// The objects, for what is prefetched with them.
    ///
    /// - Parameter type: the class that is enumerated; the rows are of it and its subclasses only.
    func models<T: PersistentModel>(of type: T.Type) -> [any PersistentModel] {
        objects.map { unsafeDowncast($0, to: type) }
    }

    /// The objects, the first one last: whoever takes them one by one frees each while it is at hand.
    func remove(decoder next: RowDecoder) -> [AnyObject] {
        decoder = next
        defer { objects.removeAll(keepingCapacity: true) }
        objects.reverse()
        return objects
    }
}
