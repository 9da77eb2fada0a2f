import StrataClient
import StrataModels

/// The column of a unique set that holds, for the time of a save, what nobody has: NULL where that can be and equals nothing, else a
/// value at the edge of the column's type.
///
/// A column that a `#Check` mentions is none: the check would see that value too. Neither is one whose values the server casts, unless it may be
/// NULL: what nobody has is no role and no address.
struct ParkingPlace {
    let slot: Int
    /// `nil` for NULL.
    private let column: Column?

    /// `nil` where no column can hold a value that nobody has.
    ///
    /// - Parameters:
    ///   - descriptor: of the class of the rows.
    ///   - slots: the columns that may be taken.
    ///   - room: the greatest number of a row.
    ///   - ruled: the columns of the set's table of which checks or other columns are made.
    init?(
        in set: UniqueSet, of descriptor: ModelDescriptor, among slots: [Int], room: Int, ruled: RuledColumns.Columns
    ) {
        let columns = zip(set.slots, set.columns).filter { slot, column in
            slots.contains(slot) && column.isWritten && ruled.takesNull(column)
        }
        let attributes = columns.filter { !(descriptor.properties[$0.0] is RelationshipProperty) }
        if set.nullsAreDistinct, let (slot, _) = attributes.first(where: \.1.isNullable) {
            (self.slot, column) = (slot, nil)
        } else if let (slot, column) = attributes.first(where: { _, column in
            ruled.takesValues(column) && set.owner.conversion(of: column.name) == nil
                && ParkingValue.bytes(of: column, key: 0, room) != nil
        }) {
            (self.slot, self.column) = (slot, column)
        } else if set.nullsAreDistinct, let (slot, _) = columns.first(where: \.1.isNullable) {
            (self.slot, column) = (slot, nil)
        } else {
            return nil
        }
    }

    /// What is written; `nil` for NULL.
    ///
    /// - Parameters:
    ///   - key: of the row.
    ///   - number: of the row within the save, not above the room that was asked for.
    func value(_ key: RowKey, _ number: Int) -> [UInt8]? {
        column.flatMap { ParkingValue.bytes(of: $0, key: key, number) }
    }
}
