import Foundation

extension Chromium {
    /// Role and name of everything that those are told who do not see the page.
    func accessibleNames() async throws -> [String] {
        _ = try await ask("Accessibility.enable", [:])
        let nodes = try await ask("Accessibility.getFullAXTree", [:])["nodes"] as? [[String: Any]] ?? []
        return nodes.compactMap { node in
            guard node["ignored"] as? Bool != true,
                let role = (node["role"] as? [String: Any])?["value"] as? String
            else { return nil }
            return "\(role) \((node["name"] as? [String: Any])?["value"] as? String ?? "")"
        }
    }

    /// Waits until the page shows a text.
    func see(_ text: String) async throws {
        let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        try await wait(for: "document.body?.innerText.includes(\(quoted))")
    }
}
