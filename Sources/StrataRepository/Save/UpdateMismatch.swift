/// The `UPDATE` of a save that has no other statement wrote nothing: its row is gone, or holds other values than the object
/// knew. Elsewhere the statement itself fails (``UpdateStatement``).
struct UpdateMismatch: Error {}
