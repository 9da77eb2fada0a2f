/// When something was read and saved, in numbers that objects note.
struct Stamps {
    /// Noted in objects whose values are read. Counts what was saved in transactions: what was read after a save that is
    /// undone has to be read again.
    var read: UInt32 = 0
    /// Noted in objects that are saved. Counts the saves: what was read before one must not replace what it wrote.
    var save: UInt32 = 0
}
