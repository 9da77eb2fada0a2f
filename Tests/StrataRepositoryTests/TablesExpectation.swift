import Testing

/// Compares a text line by line; on a mismatch the actual text is printed so that it can be pasted.
func expectText(_ actual: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let isEqual = actual.trimmed == expected.trimmed
    #expect(isEqual, "The text is:\n\(actual)", sourceLocation: sourceLocation)
}

extension String {
    fileprivate var trimmed: Substring {
        var text = self[...]
        while text.last == "\n" { text.removeLast() }
        return text
    }
}
