extension Set<String> {
    /// Whether these names cover another one; `legacy_*` stands for all that begin so.
    func covers(_ name: String) -> Bool {
        contains(name) || contains { $0.hasSuffix("*") && name.hasPrefix($0.dropLast()) }
    }
}
