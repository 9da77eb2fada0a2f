import StrataClient

/// What a save does to one foreign key that belongs to no changed property of its row's object.
struct ForeignKeyChange {
    enum Kind: Hashable {
        /// The row gets the owner.
        case joins
        /// The row loses the owner, if it still has it.
        case leaves
        /// The row loses whatever owner it has.
        case clears
    }

    let kind: Kind
    let owner: RowKey?
}
