import StrataRepository

/// What things are called while a stage runs, where old and new have one name.
enum InterimName {
    /// Of something new, until it gets its name.
    static func new(_ name: String) -> String { Naming.joined(name, "_new") }

    /// Of something old, once it has given its name away.
    static func old(_ name: String) -> String { Naming.joined(name, "_old") }
}
