/// What SQL about the columns of one row is for, as it stands in a table.
enum TableTextPurpose {
    /// The condition of what is unique. Where it is NULL, a row is not in the index.
    case uniqueness
    /// The condition of an index. It names the columns that the server computes, because an index is found by what it names.
    case index
    /// A check, which lets NULL pass: it has to say FALSE where Swift says `false`.
    case check
    /// What a column is computed by: what memory computes, digit by digit. Such a column names no other one (PostgreSQL manual, 5.3).
    case generatedColumn
}
