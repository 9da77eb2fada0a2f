extension MigrationError {
    /// Nothing for no edits.
    package init?(edits: [EditedStep]) {
        guard !edits.isEmpty else { return nil }
        let stages = Set(edits.map(\.stage.recorded)).sorted().joined(separator: ", ")
        self.init(
            .integrity, "\(stages) was changed after it had been applied, or a part of it.",
            places: edits.flatMap(\.places),
            remedy: "restore the file and make the change in a new version; or accept it as it is now with repair")
    }
}
