import StrataModels

extension UnitOfWork {
    /// The error of a context that only reads and was to write.
    ///
    /// - Parameter reason: what it was to do, as in "has unsaved changes".
    func onlyReadsRefusal(_ reason: String) -> SwiftDataError {
        SwiftDataError(
            .readOnly,
            "A context of ModelContainer.read \(reason), and it only reads. Nothing was written. Use withContext, which saves at its "
                + "end, or a ModelContext of your own.")
    }
}
