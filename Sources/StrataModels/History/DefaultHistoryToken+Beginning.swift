extension DefaultHistoryToken {
    /// The place before everything: the oldest transactions that are kept come after it.
    public static let beginning = DefaultHistoryToken([:])
}
