import Testing

/// Everything a predicate cannot express, as a table: closure, report.
struct PredicateDiagnosticTests {
    @Test("reports what is unsupported at its token", arguments: PredicateMisuse.all)
    func reports(misuse: PredicateMisuse) {
        let expander = PredicateMacroExpander(
            "#Predicate<Trip>\(misuse.closure.hasPrefix("(") ? "" : " ")\(misuse.closure)")
        #expect(expander.report == misuse.report)
        #expect(expander.fixes == [misuse.fix].compactMap { $0 })
        #expect(expander.expansion.contains("build_Arg(false)"))
    }
}
