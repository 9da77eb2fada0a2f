/// Puts tables in the order in which their rows can be written: referenced tables before referencing ones.
///
/// Tables that refer to each other in a circle come out together: their rows go into one statement, because foreign keys are
/// checked at its end. Tarjan's algorithm; the order depends on the order of the nodes only.
struct TableOrder {
    private let edges: (Int) -> [Int]
    private var index: [Int: Int] = [:]
    private var low: [Int: Int] = [:]
    private var stack: [Int] = []
    private var components: [[Int]] = []

    private init(edges: @escaping (Int) -> [Int]) {
        self.edges = edges
    }

    /// - Parameters:
    ///   - nodes: the tables.
    ///   - edges: the tables that a table refers to; others than `nodes` are passed over.
    /// - Returns: groups of tables, each after all that it refers to.
    static func components(of nodes: [Int], edges: @escaping (Int) -> [Int]) -> [[Int]] {
        let known = Set(nodes)
        var order = TableOrder { node in edges(node).filter(known.contains) }
        for node in nodes where order.index[node] == nil { order.visit(node) }
        return order.components
    }

    private mutating func visit(_ node: Int) {
        let number = index.count
        index[node] = number
        var lowest = number
        stack.append(node)
        for target in edges(node) {
            if index[target] == nil {
                visit(target)
                lowest = min(lowest, low[target] ?? lowest)
            } else if stack.contains(target) {
                lowest = min(lowest, index[target] ?? lowest)
            }
        }
        low[node] = lowest
        guard lowest == number, let start = stack.firstIndex(of: node) else { return }
        components.append(stack[start...].sorted())
        stack.removeSubrange(start...)
    }
}
