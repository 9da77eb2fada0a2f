import Crypto

extension MigrationStep {
    /// What the ledger keeps of a step, so that an edit of a step that was begun is noticed.
    var recordedChecksum: String {
        let text = ([id, phase.rawValue, title, "\(execution)"] + statements).joined(separator: "\u{0}")
        return SHA256.hash(data: Array(text.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
