extension EntityMapping {
    /// The column of the key, in double quotes.
    package var quotedKey: String { SQLFragment.quoted(key) }
}
