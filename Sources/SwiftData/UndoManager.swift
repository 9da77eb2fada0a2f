public import StrataContext

/// Foundation's has no Linux form; sources written for SwiftData find ours under its name.
public typealias UndoManager = ModelUndoManager
