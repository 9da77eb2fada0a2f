public import Foundation

extension Schema {
    /// One persisted property of a class, as `@Model` describes it.
    ///
    /// The key path of the storage is made when somebody asks for it: that takes longer than all the rest.
    public struct PropertyMetadata {
        /// The property's name in Swift.
        public let name: String
        /// The key path of the property, rooted at the class whose metadata this is part of.
        public let keypath: AnyKeyPath
        /// The property in its place.
        let property: (PropertyPlace) -> any ModelProperty

        init(name: String, keypath: AnyKeyPath, _ property: @escaping (PropertyPlace) -> any ModelProperty) {
            self.name = name
            self.keypath = keypath
            self.property = property
        }

        /// A property, of which its storage says whether it is an attribute or a relationship.
        public init<M: PersistentModel, Storage: PropertyStorage>(
            name: String, keypath: KeyPath<M, Storage.Value>,
            storage: @escaping @autoclosure @Sendable () -> ReferenceWritableKeyPath<M, Storage>,
            metadata: Storage.Metadata = Storage.undeclared, defaultValue: (@Sendable () -> Storage.Value)? = nil
        ) {
            self = Storage.describe(
                name: name, keypath: keypath, storage: storage, metadata: metadata, defaultValue: defaultValue)
        }
    }

    /// The arguments of `@Attribute`.
    public struct AttributeMetadata {
        package var options: [Schema.Attribute.Option] = []
        package var column: String?
        package var originalName: String?
        package var hashModifier: String?
        /// Whether a `#Generated` says what the property is computed by.
        package var isComputed = false

        /// `@Attribute` with these arguments, of a property that a `#Generated` computes.
        public static func computed(
            _ options: Schema.Attribute.Option..., column: String? = nil, originalName: String? = nil,
            hashModifier: String? = nil
        ) -> AttributeMetadata {
            AttributeMetadata(
                options: options, column: column, originalName: originalName, hashModifier: hashModifier,
                isComputed: true)
        }

        /// `@Attribute` with these arguments; without any, a property that has no `@Attribute`.
        public static func attribute(
            _ options: Schema.Attribute.Option..., column: String? = nil, originalName: String? = nil,
            hashModifier: String? = nil
        ) -> AttributeMetadata {
            AttributeMetadata(
                options: options, column: column, originalName: originalName, hashModifier: hashModifier)
        }
    }

    /// The arguments of `@Relationship`.
    public struct RelationshipMetadata: Sendable {
        /// What was said about the inverse.
        package enum Inverse {
            case inferred
            /// `inverse: nil`: a one-way relationship.
            case none
            case explicit(SendableKeyPath)
        }

        package var options: [Schema.Relationship.Option] = []
        package var deleteRule: Schema.Relationship.DeleteRule = .nullify
        package var minimumModelCount = 0
        package var maximumModelCount = 0
        package var names = RelationshipNames()
        package var originalName: String?
        package var inverse: Inverse = .inferred
        package var hashModifier: String?

        /// `@Relationship` without `inverse:`: the inverse is inferred.
        public static func relationship(
            _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
            minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, table: String? = nil, column: String? = nil,
            columns: [String]? = nil, inverseColumn: String? = nil, constraint: String? = nil,
            keyConstraint: String? = nil, originalName: String? = nil,
            hashModifier: String? = nil
        ) -> RelationshipMetadata {
            RelationshipMetadata(
                options: options, deleteRule: deleteRule, minimumModelCount: minimumModelCount ?? 0,
                maximumModelCount: maximumModelCount ?? 0,
                names: RelationshipNames(
                    table: table, column: column, columns: columns, inverseColumn: inverseColumn,
                    constraint: constraint, keyConstraint: keyConstraint),
                originalName: originalName, inverse: .inferred, hashModifier: hashModifier)
        }

        /// `@Relationship` with `inverse:`; `nil` makes it a one-way relationship.
        public static func relationship(
            _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
            minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, table: String? = nil, column: String? = nil,
            columns: [String]? = nil, inverseColumn: String? = nil, constraint: String? = nil,
            keyConstraint: String? = nil, originalName: String? = nil,
            inverse: AnyKeyPath?, hashModifier: String? = nil
        ) -> RelationshipMetadata {
            RelationshipMetadata(
                options: options, deleteRule: deleteRule, minimumModelCount: minimumModelCount ?? 0,
                maximumModelCount: maximumModelCount ?? 0,
                names: RelationshipNames(
                    table: table, column: column, columns: columns, inverseColumn: inverseColumn,
                    constraint: constraint, keyConstraint: keyConstraint),
                originalName: originalName, inverse: inverse.map { .explicit(sendable($0)) } ?? .none,
                hashModifier: hashModifier)
        }

        /// What `@Attribute` may say of a relationship.
        public struct AttributeOption {
            let relationshipOption: Schema.Relationship.Option?

            /// No two objects have the same target: a foreign key that is unique.
            public static var unique: AttributeOption { AttributeOption(relationshipOption: .unique) }
            /// Accepted for source compatibility, as of an attribute.
            public static var spotlight: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Accepted for source compatibility, as of an attribute.
            public static var allowsCloudEncryption: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(
                *, unavailable,
                message: "a relationship cannot be '.hidden': hide the attributes of the object that it leads to"
            )
            public static var hidden: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(
                *, unavailable,
                message: "a relationship cannot be '.primaryKey': the key of an object is a value of its own"
            )
            public static var primaryKey: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(*, unavailable, message: "a relationship cannot be '.creationDate': that is for Date")
            public static var creationDate: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(*, unavailable, message: "a relationship cannot be '.modificationDate': that is for Date")
            public static var modificationDate: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(*, unavailable, message: "a relationship cannot be '.deletionDate': that is for Date?")
            public static var deletionDate: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(
                *, unavailable,
                message: "a relationship cannot be '.tenant': that is a value, which every table can compare"
            )
            public static var tenant: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(*, unavailable, message: "a relationship cannot be '.precision': that is for Decimal")
            public static func precision(_ precision: Int, scale: Int = 0) -> AttributeOption {
                AttributeOption(relationshipOption: nil)
            }
            /// Not of a relationship.
            @available(*, unavailable, message: "a relationship cannot be '.externalStorage': that is for Data")
            public static var externalStorage: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(*, unavailable, message: "a relationship cannot be '.codable': it is a foreign key")
            public static var codable: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(*, unavailable, message: "a relationship cannot be '.ephemeral': mark the property @Transient")
            public static var ephemeral: AttributeOption { AttributeOption(relationshipOption: nil) }
            /// Not of a relationship.
            @available(
                *, unavailable,
                message:
                    "a relationship cannot be '.preserveValueOnDeletion': preserve an attribute of the object that it leads to"
            )
            public static var preserveValueOnDeletion: AttributeOption { AttributeOption(relationshipOption: nil) }
        }

        /// `@Attribute` on a relationship.
        public static func attribute(
            _ options: AttributeOption..., column: String? = nil, originalName: String? = nil,
            hashModifier: String? = nil
        ) -> RelationshipMetadata {
            RelationshipMetadata(
                options: options.compactMap(\.relationshipOption), names: RelationshipNames(column: column),
                originalName: originalName, hashModifier: hashModifier)
        }

        /// The spelling of the first beta: the delete rule comes first and has no label.
        @available(*, deprecated, message: "use deleteRule:")
        public static func relationship(
            _ deleteRule: Schema.Relationship.DeleteRule, minimumModelCount: Int? = 0, maximumModelCount: Int? = 0,
            originalName: String? = nil, hashModifier: String? = nil
        ) -> RelationshipMetadata {
            .relationship(
                deleteRule: deleteRule, minimumModelCount: minimumModelCount, maximumModelCount: maximumModelCount,
                originalName: originalName, hashModifier: hashModifier)
        }

        /// The spelling of the first beta, with an inverse.
        @available(*, deprecated, message: "use deleteRule:")
        public static func relationship(
            _ deleteRule: Schema.Relationship.DeleteRule, minimumModelCount: Int? = 0, maximumModelCount: Int? = 0,
            originalName: String? = nil, inverse: AnyKeyPath?, hashModifier: String? = nil
        ) -> RelationshipMetadata {
            .relationship(
                deleteRule: deleteRule, minimumModelCount: minimumModelCount, maximumModelCount: maximumModelCount,
                originalName: originalName, inverse: inverse, hashModifier: hashModifier)
        }
    }

    /// A `#PrimaryKey`, `#Unique`, `#Index`, `#Check`, `#Partition` or `#Generated` of a class.
    public enum ModelConstraint: Sendable {
        /// The properties that are the key together.
        case primaryKey([any AnyKeyPath & Sendable])
        /// Sets of properties whose values are unique together.
        case unique([ModelUnique])
        /// Indexes, each over one or several properties.
        case index([ModelIndex])
        /// A rule that holds of every object.
        case check(ModelCheck)
        /// How the table is divided by time.
        case partition(ModelPartition)
        /// What a property is computed by.
        case generated(ModelGenerated)

        /// What the `#PrimaryKey` of the class declares.
        public static func primaryKey<T: PersistentModel>(_ key: Schema.PrimaryKey<T>) -> ModelConstraint {
            .primaryKey(key.parts.map { sendable($0) })
        }

        /// What a `#Unique` of the class declares.
        public static func unique<T: PersistentModel>(_ unique: Schema.Unique<T>) -> ModelConstraint {
            .unique(ModelUnique.all(of: unique))
        }

        /// What an `#Index` of the class declares.
        public static func index<T: PersistentModel>(_ index: Schema.Index<T>) -> ModelConstraint {
            .index(index.indices.map { ModelIndex($0, named: index.name, where: index.condition) })
        }

        /// What a `#Check` of the class declares.
        public static func check<T: PersistentModel>(_ check: Schema.Check<T>) -> ModelConstraint {
            .check(
                ModelCheck(
                    name: check.name, givenName: check.constraint,
                    condition: ClassCondition(predicate: check.condition)))
        }

        /// What the `#Partition` of the class declares.
        public static func partition<T: PersistentModel>(_ partition: Schema.Partition<T>) -> ModelConstraint {
            .partition(ModelPartition(keyPath: sendable(partition.date), period: partition.period))
        }

        /// What a `#Generated` of the class declares.
        public static func generated<T: PersistentModel, Value>(
            _ property: KeyPath<T, Value>, _ generated: Schema.Generated<T, Value>
        ) -> ModelConstraint {
            .generated(
                ModelGenerated(
                    keyPath: sendable(property),
                    expression: generated.expression, variable: generated.expression.variable.key,
                    source: ExpressionBody.source(of: generated.expression) ?? "",
                    failure: { model in
                        guard let model = model as? T else { return nil }
                        do {
                            _ = try generated.expression.evaluate(model)
                            return nil
                        } catch { return error }
                    }))
        }
    }

    /// One rule, without the type of its class.
    public struct ModelCheck: Sendable {
        package let name: String
        /// What the constraint is called, where the model says it.
        package let givenName: String?
        package let condition: any ModelCondition
    }

    /// One index, without the type of its class.
    public struct ModelIndex: Sendable {
        package enum Method: Hashable, Sendable {
            case btree, gist, gin, hash, brin
            /// For full text, in the language of a text search configuration; with a letter for each property where they have weights.
            case fullText(language: String, weights: String = "")
            /// For parts of texts, without case and accents.
            case trigram
            /// Any other access method of the server, or one with an operator class that is not its own choice for the type.
            case named(String, operatorClass: String? = nil)
        }
        package let method: Method
        package let name: String?
        package let keys: [Key]
        package let included: [SendableKeyPath]
        package let condition: (any ModelCondition)?

        init<T: PersistentModel>(
            _ type: Schema.Index<T>.Types<T>, named name: String?, where condition: Predicate<T>?
        ) {
            self.name = name
            self.condition = condition.map { ClassCondition(predicate: $0) }
            func plain(_ paths: [PartialKeyPath<T>]) -> [Key] { paths.map { Key(keyPath: sendable($0), form: .plain) } }
            switch type {
            case .binary(let paths, let included):
                (method, keys, self.included) = (.btree, plain(paths), included.map { sendable($0) })
            case .sorted(let keys, let included):
                method = .btree
                self.keys = keys.map { Key(keyPath: sendable($0.keyPath), form: $0.form) }
                self.included = included.map { sendable($0) }
            case .rtree(let paths): (method, keys, included) = (.gist, plain(paths), [])
            case .gin(let paths): (method, keys, included) = (.gin, plain(paths), [])
            case .hash(let paths): (method, keys, included) = (.hash, plain(paths), [])
            case .brin(let paths): (method, keys, included) = (.brin, plain(paths), [])
            case .fullText(let paths, let weights, let language):
                let letters = weights.map(\.letter).joined()
                method = .fullText(language: Self.printed(language), weights: letters)
                (keys, included) = (plain(paths), [])
            case .trigram(let paths): (method, keys, included) = (.trigram, plain(paths), [])
            case .method(let name, let paths, let operatorClass):
                let own = operatorClass == nil ? Method(rawValue: name) : nil
                (method, keys, included) = (own ?? .named(name, operatorClass: operatorClass), plain(paths), [])
            }
        }

        /// The name of a configuration as the server prints it: in small letters, but for what stands in double quotes, and without
        /// the server's own schema.
        private static func printed(_ language: String) -> String {
            var isQuoted = false
            let folded = language.map { character in
                if character == "\"" { isQuoted.toggle() }
                return isQuoted || !character.isASCII ? String(character) : character.lowercased()
            }.joined()
            let schema = "pg_catalog."
            return folded.hasPrefix(schema) ? String(folded.dropFirst(schema.count)) : folded
        }
    }
}

/// The method as it is written in files; of full text with its language, and its weights, in parentheses.
extension Schema.ModelIndex.Method: RawRepresentable, Codable {
    package init?(rawValue: String) {
        switch rawValue {
        case "btree": self = .btree
        case "gist": self = .gist
        case "gin": self = .gin
        case "hash": self = .hash
        case "brin": self = .brin
        case "trigram": self = .trigram
        default:
            if let parts = rawValue.wholeMatch(of: /fulltext\((.*?)(?:, ([A-D]+))?\)/) {
                self = .fullText(language: String(parts.1), weights: parts.2.map(String.init) ?? "")
                return
            }
            guard let parts = rawValue.wholeMatch(of: /([^()]+)(?:\(([^()]+)\))?/) else { return nil }
            self = .named(String(parts.1), operatorClass: parts.2.map(String.init))
        }
    }

    package var rawValue: String {
        switch self {
        case .btree: "btree"
        case .gist: "gist"
        case .gin: "gin"
        case .hash: "hash"
        case .brin: "brin"
        case .fullText(let language, let weights):
            weights.isEmpty ? "fulltext(\(language))" : "fulltext(\(language), \(weights))"
        case .trigram: "trigram"
        case .named(let name, let operatorClass): operatorClass.map { "\(name)(\($0))" } ?? name
        }
    }

    /// Whether both names can stand in SQL as they are; they are a program's, and never a user's.
    var isIdentifier: Bool {
        guard case .named(let name, let operatorClass) = self else { return true }
        return [name, operatorClass].compactMap(\.self).allSatisfy { $0.wholeMatch(of: /[a-z_][a-z0-9_]*/) != nil }
    }

    /// The language of full text; `nil` for all other indexes.
    package var language: String? {
        guard case .fullText(let language, _) = self else { return nil }
        return language
    }

    /// The weights of full text, a letter for each property; empty where they have none, and for all other indexes.
    package var weights: String {
        guard case .fullText(_, let weights) = self else { return "" }
        return weights
    }
}

extension Schema {
    /// What `#PrimaryKey` declares.
    public struct PrimaryKey<T: PersistentModel> {
        /// The properties whose values together are the key, in the order of the columns.
        public let parts: [PartialKeyPath<T>]
        /// What `#PrimaryKey<T>(…)` is given: the key paths in one array.
        public init(_ parts: [PartialKeyPath<T>]) { self.parts = parts }
    }

    /// What `#Index` declares.
    public struct Index<T: PersistentModel> {
        /// The kinds of index. `.binary` is PostgreSQL's B-tree, `.rtree` its GiST; the others are PostgreSQL's own
        /// (manual, chapter 11.2).
        public enum Types<P: PersistentModel> {
            /// A B-tree: for equality, ranges and order.
            ///
            /// ```swift
            /// #Index<Trip>(.binary([\.startDate], including: [\.name]))
            /// ```
            ///
            /// - Parameter including: properties that the index holds and does not search by (`INCLUDE`): values of theirs are read from it
            ///   alone.
            case binary([PartialKeyPath<P>], including: [PartialKeyPath<P>] = [])
            /// A B-tree whose keys have an order of their own, or are texts in lower case.
            ///
            /// ```swift
            /// #Index<Trip>(.sorted([.key(\.startDate, order: .reverse), .lowercased(\.name)]))
            /// ```
            case sorted([IndexKey<P>], including: [PartialKeyPath<P>] = [])
            /// SwiftData's index for geometry, a GiST index: for properties in a type that the server knows by its name, as those of a
            /// ``PostgresTextCodable``. For others it is refused when a container is made.
            case rtree([PartialKeyPath<P>])
            /// For arrays and `jsonb`: finds rows by what they contain.
            case gin([PartialKeyPath<P>])
            /// For equality only.
            case hash([PartialKeyPath<P>])
            /// Tiny; for columns that grow with the table, such as dates of creation.
            case brin([PartialKeyPath<P>])
            /// For the words of texts: what `matches` searches (PostgreSQL manual, chapter 12), in all of the properties at once.
            ///
            /// ```swift
            /// #Index<Trip>(.fullText([\.name, \.notes], language: "english"))
            /// ```
            ///
            /// The language is a text search configuration of the server (`\dF` in psql lists them): it says which words are the same.
            /// `simple` knows no language; it is what `@Attribute(.spotlight)` has. With weights, one for each property in their order, words of
            /// some count for more than those of others in a rank:
            ///
            /// ```swift
            /// #Index<Trip>(.fullText([\.name, \.notes], weights: [.a, .d], language: "english"))
            /// ```
            case fullText([PartialKeyPath<P>], weights: [TextWeight] = [], language: String = "simple")
            /// For parts of texts: what `localizedStandardContains` looks for, in one property.
            ///
            /// ```swift
            /// #Index<Trip>(.trigram([\.name]))
            /// ```
            ///
            /// It needs the extension `pg_trgm`, which is part of PostgreSQL: `CREATE EXTENSION pg_trgm`. Texts of fewer than three
            /// characters are not found by it.
            case trigram([PartialKeyPath<P>])
            /// Any access method of the server: of an extension, or one of PostgreSQL's with an operator class that is not its own choice for the
            /// type.
            ///
            /// ```swift
            /// #Index<Document>(.method("hnsw", [\.embedding], operatorClass: "vector_l2_ops"))
            /// ```
            ///
            /// - Parameter operatorClass: as `psql` shows it, in a schema of the `search_path`. Leave it out where it is the method's own choice, which
            ///   the server does not print: naming it would be a difference to `drift`.
            case method(String, [PartialKeyPath<P>], operatorClass: String? = nil)

            /// A GiST index: for what lies within, overlaps or is near. The nearest are found by it in their order.
            ///
            /// ```swift
            /// #Index<Place>(.gist([\.position]))
            /// ```
            public static func gist(_ keyPaths: [PartialKeyPath<P>], operatorClass: String? = nil) -> Self {
                .method("gist", keyPaths, operatorClass: operatorClass)
            }

            /// An HNSW index of the extension pgvector: for the nearest of very many vectors, nearly all of which it finds.
            ///
            /// ```swift
            /// #Index<Document>(.hnsw([\.embedding], operatorClass: "vector_l2_ops"))
            /// ```
            public static func hnsw(_ keyPaths: [PartialKeyPath<P>], operatorClass: String) -> Self {
                .method("hnsw", keyPaths, operatorClass: operatorClass)
            }
        }

        /// The indexes, each with its kind and its properties in order.
        public let indices: [Types<T>]
        /// The name of the index, where there is one; `nil` for that which follows from the columns.
        public let name: String?
        /// Which objects are in them; `nil` for all.
        public let condition: Predicate<T>?
        /// What `#Index<T>([\.startDate], [\.destination])` is given: B-trees.
        public init(_ indices: [PartialKeyPath<T>]..., name: String? = nil, where condition: Predicate<T>? = nil) {
            self.indices = indices.map { .binary($0) }
            self.name = name
            self.condition = condition
        }
        /// What `#Index<T>(.hash([\.code]))` is given: indexes of any kind.
        public init(_ indices: Types<T>..., name: String? = nil, where condition: Predicate<T>? = nil) {
            self.indices = indices
            self.name = name
            self.condition = condition
        }
    }
}
