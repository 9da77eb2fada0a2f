public import Strata

/// A node of a tree.
@Model public final class Category {
    /// What it is called.
    public var name: String
    /// What it is part of.
    public var parent: Category?
    /// Its parts.
    @Relationship(inverse: \Category.parent) public var children: [Category] = []

    /// A category, at the top or in another one.
    public init(_ name: String, in parent: Category? = nil) {
        self.name = name
        self.parent = parent
    }
}

extension Category {
    /// A category and everything in it, level by level.
    public static func tree(from top: Category, in context: ModelContext) async throws -> [Category] {
        let tree = try await context.fetch(
            Category.self,
            sql: """
                WITH RECURSIVE tree(key, name, depth) AS (
                    SELECT \(\Category.persistentModelID), \(\Category.name), 0
                    FROM \(Category.self) WHERE \(\Category.persistentModelID) = \(top.persistentModelID)
                    UNION ALL
                    SELECT \(\Category.persistentModelID), \(\Category.name), depth + 1
                    FROM tree JOIN \(Category.self) ON \(\Category.parent) = tree.key
                ) CYCLE key SET isCycle USING path
                SELECT key FROM tree WHERE NOT isCycle ORDER BY depth, name
                """)
        return tree
    }
}

/// How deep in the tree a category is: the rows of a view.
@Model public final class CategoryDepth: DatabaseView {
    /// A recursive query is one as others are.
    public static let definition: SQLStatement = """
        WITH RECURSIVE tree(key, depth) AS (
            SELECT \(\Category.persistentModelID), 0 FROM \(Category.self) WHERE \(\Category.parent) IS NULL
            UNION ALL
            SELECT \(\Category.persistentModelID), depth + 1
            FROM tree JOIN \(Category.self) ON \(\Category.parent) = tree.key
        )
        SELECT key AS \(column: \CategoryDepth.persistentModelID), key AS \(column: \CategoryDepth.category),
            depth AS \(column: \CategoryDepth.depth)
        FROM tree
        """
    /// The category.
    public private(set) var category: Category?
    /// How many categories it is in.
    public private(set) var depth: Int
}
