extension MigrationStep {
    /// What is run and how, but not the words for people; lower-case hexadecimal.
    ///
    /// White space, comments, line ends and the case of words do not count, and neither does whether several statements
    /// stand in one text: a step that was read from a file has the checksum of the one that was written there.
    package var checksum: String { contentAndChecksum.checksum }

    /// Both for the cost of one: the ledger keeps them side by side.
    var contentAndChecksum: (content: [String], checksum: String) {
        let content = content
        var digest = TokenDigest()
        for part in content { digest.add(sql: part) }
        return (content, digest.hex)
    }

    /// The parts that count: the line that says how the step is run, the statements, and how it is probed and undone.
    var content: [String] {
        // A directive is a comment to SQL, and would not count.
        let directive = String(StepDirective.text(self).trimmingPrefix("-- "))
        return [directive] + separate(isClosure ? [] : statements) + (done.map { ["done " + $0] } ?? [])
            + separate(undo).map { "undo " + $0 }
    }

    /// One statement in each text; one that cannot be taken apart stays as it is.
    private func separate(_ texts: [String]) -> [String] {
        texts.flatMap { text in (try? SQLTokenizer.statements(of: text).map(\.text)) ?? [text] }
    }
}
