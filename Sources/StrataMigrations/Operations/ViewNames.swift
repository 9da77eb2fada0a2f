/// What views are called while a stage replaces older ones of the same names.
struct ViewNames {
    /// The names that older views have.
    var taken: Set<String>

    /// What a new view is called until it gets its name.
    func first(_ name: String) -> String { taken.contains(name) ? InterimName.new(name) : name }

    /// What an older view is called that has stepped aside.
    func retired(_ name: String) -> String { InterimName.old(name) }
}
