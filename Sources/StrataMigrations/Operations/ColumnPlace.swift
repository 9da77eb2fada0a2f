/// Where a column lies: its table and its name.
struct ColumnPlace: Hashable {
    var table: String
    var column: String
}
