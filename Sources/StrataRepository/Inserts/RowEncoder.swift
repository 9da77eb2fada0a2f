import StrataClient
import StrataModels

/// Writes rows of one type into the buffers of a batch. Here a row is bytes: what its values are was asked for once.
package final class RowEncoder {
    private struct Place {
        /// From the row's beginning.
        let offset: Int
        let buffer: Int
        /// `nil` for a value that its destination's closure writes.
        let common: CommonValue?
    }

    /// Looked at for each value of each row, so without the closures, which would be retained and released for each.
    private let places: UnsafeMutableBufferPointer<Place>
    private let encoders: [RowValueEncoder]
    /// The property of each place, for errors.
    private let properties: [any ModelProperty]
    private let constants: [RowInsertPlan.Constant]

    init(_ values: [(offset: Int, value: RowValue)], _ plan: RowInsertPlan) {
        let destinations = values.flatMap { offset, value in value.destinations.map { (offset, $0) } }
        places = .allocate(capacity: destinations.count)
        _ = places.initialize(
            from: destinations.map { Place(offset: $0, buffer: $1.buffer, common: $1.common) })
        encoders = destinations.map(\.1.encode)
        properties = values.flatMap { value in value.value.destinations.map { _ in value.value.property } }
        constants = plan.constants
    }

    deinit { places.deallocate() }

    /// Appends the row of these bytes.
    ///
    /// Throws ``SwiftDataError`` with the number of the row, and the property, for a value that cannot be stored.
    package func append(_ row: UnsafeRawBufferPointer, to batch: RowBatch) throws {
        // A row of nothing but empty types has no bytes, and nothing is read there.
        let base = row.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
        let buffers = batch.buffers
        for index in places.indices {
            let place = places[index]
            do {
                if let common = place.common {
                    try common.append(from: base + place.offset, to: &buffers[place.buffer])
                } else {
                    try encoders[index](base + place.offset, &buffers[place.buffer])
                }
            } catch {
                throw batch.unwritable(error, properties[index].qualifiedName)
            }
        }
        for constant in constants {
            do {
                try constant.write(&buffers[constant.buffer])
            } catch {
                throw batch.unwritable(error, constant.property)
            }
        }
        batch.count += 1
    }
}
