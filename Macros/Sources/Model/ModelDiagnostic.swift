import SwiftDiagnostics
import SwiftSyntax

/// A wrong use of a macro of the `@Model` family: where it is, what is wrong, and what to write instead.
struct ModelDiagnostic {
    let node: Syntax
    let message: String
    var fixIts: [FixIt] = []
    /// A warning where the source means something all the same.
    var severity = DiagnosticSeverity.error

    init(_ node: some SyntaxProtocol, _ message: String, fixIts: [FixIt?] = []) {
        self.node = Syntax(node)
        self.message = message
        self.fixIts = fixIts.compactMap(\.self)
    }

    /// The form in which the compiler takes it.
    var diagnostic: Diagnostic {
        Diagnostic(node: node, message: Message(message: message, severity: severity), fixIts: fixIts)
    }

    private struct Message: DiagnosticMessage {
        let message: String
        let severity: DiagnosticSeverity
        var diagnosticID: MessageID { MessageID(domain: "StrataMacros.Model", id: message) }
    }
}

/// The text of a fix-it.
struct ModelFixIt: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "StrataMacros.Model", id: message) }

    /// Replaces a node, keeping the space around it.
    static func replace(_ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String) -> FixIt {
        let new = new.with(\.leadingTrivia, old.leadingTrivia).with(\.trailingTrivia, old.trailingTrivia)
        return FixIt(
            message: ModelFixIt(message: message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }

    /// Removes a modifier or an attribute; what follows takes its place.
    static func remove(_ node: some SyntaxProtocol, _ message: String) -> FixIt {
        let nothing = TokenSyntax(.identifier(""), leadingTrivia: node.leadingTrivia, presence: .present)
        return FixIt(
            message: ModelFixIt(message: message), changes: [.replace(oldNode: Syntax(node), newNode: Syntax(nothing))])
    }
}
