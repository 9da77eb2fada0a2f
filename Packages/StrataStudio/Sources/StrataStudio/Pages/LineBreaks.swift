/// The line breaks of a text that a form was filled with: a browser sends each as CR LF, whatever the text had.
struct LineBreaks {
    private var lines: [Substring.UnicodeScalarView] = []
    /// The break behind each line but the last.
    private var breaks: [Substring.UnicodeScalarView] = []

    private init(_ text: String) {
        let scalars = text.unicodeScalars
        var (start, place) = (scalars.startIndex, scalars.startIndex)
        while place < scalars.endIndex {
            var end = scalars.index(after: place)
            guard scalars[place] == "\r" || scalars[place] == "\n" else {
                place = end
                continue
            }
            if scalars[place] == "\r", end < scalars.endIndex, scalars[end] == "\n" { end = scalars.index(after: end) }
            lines.append(scalars[start..<place])
            breaks.append(scalars[place..<end])
            (start, place) = (end, end)
        }
        lines.append(scalars[start...])
    }

    /// What was sent, with the breaks that the text had before.
    ///
    /// Lines at the beginning and at the end that are as they were keep theirs. Between them, a new line has the break of the line before it; a
    /// text that had none has LF.
    static func restored(_ sent: String, from before: String?) -> String {
        let (new, old) = (LineBreaks(sent), LineBreaks(before ?? ""))
        let both = min(new.lines.count, old.lines.count)
        let first = (0..<both).first { !new.lines[$0].elementsEqual(old.lines[$0]) } ?? both
        // Breaks are counted from the end: the one in front of an equal line is as it was.
        let behind =
            (0..<(both - first)).first {
                !new.lines[new.lines.count - 1 - $0].elementsEqual(old.lines[old.lines.count - 1 - $0])
            } ?? both - first
        let lineFeed = "\n".unicodeScalars[...]
        var text = String.UnicodeScalarView()
        var last = old.breaks.first ?? lineFeed
        for (place, line) in new.lines.enumerated() {
            text.append(contentsOf: line)
            guard place < new.breaks.count else { break }
            let fromEnd = new.breaks.count - place
            if place < min(first, old.breaks.count) {
                last = old.breaks[place]
            } else if fromEnd <= behind, fromEnd <= old.breaks.count {
                last = old.breaks[old.breaks.count - fromEnd]
            }
            text.append(contentsOf: last)
        }
        return String(text)
    }
}
