import StrataClient
package import StrataModels

extension EntityMapping {
    /// Whether the objects are rows of a view.
    package var isView: Bool { descriptor.isView }

    /// A statement of Strata's that reads the objects. A view may call a function of somebody's that writes; of all else it is known that
    /// nothing is stored.
    func reading(_ statement: PostgresStatement) -> PostgresStatement { isView ? statement : statement.storingNothing }

    private var declaredView: (any DatabaseView.Type)? { descriptor.type as? any DatabaseView.Type }
    /// The query that the class declares.
    private var declaredQuery: SQLStatement? { declaredView?.definition }

    /// The view that the class declares.
    ///
    /// Throws `invalidSchema` for a query that a view cannot have.
    func view(in mapping: StoreMapping) throws(SwiftDataError) -> ViewDefinition {
        let query = try (declaredQuery ?? "").viewQuery(in: mapping)
        // A key that properties have is in their columns.
        let number = keySlots.isEmpty ? [ColumnDefinition(name: key.first, type: "bigint", isNullable: true)] : []
        let columns = columns.compactMap { $0 }.flatMap(\.tableColumns).map { column in
            var definition = DefinitionBuilder.column(column)
            (definition.isNullable, definition.storage) = (true, nil)
            return definition
        }
        return ViewDefinition(
            name: table.name, columns: number + columns, query: query, key: key.names,
            isMaterialized: declaredView?.isMaterialized ?? false,
            isInvokers: mapping.tenant != nil && declaredView?.isMaterialized != true)
    }

    /// The properties to which the query gives no column; `persistentModelID` for a key that is no property's. A relationship by columns of other
    /// properties needs none.
    var propertiesWithoutResult: [String] {
        guard let (slots, hasKey) = declaredQuery?.columnsNamed(of: descriptor) else { return [] }
        let missing = columns.compactMap { $0 }.filter { $0.foreignKey == nil }.compactMap(\.slot)
            .filter { !slots.contains($0) }
        let isKeyMissing = keySlots.isEmpty && !hasKey
        return (isKeyMissing ? ["persistentModelID"] : []) + missing.map { descriptor.properties[$0].name }
    }

    /// Whether the query gives a key beside the properties that are it.
    var givesKeyTwice: Bool { !keySlots.isEmpty && declaredQuery?.columnsNamed(of: descriptor).hasKey == true }

    /// The relationships to which the query gives a column although they have those of other properties.
    var propertiesWithColumnsOfOthers: [any ModelProperty] {
        let named = declaredQuery?.columnsNamed(of: descriptor).slots ?? []
        return columns.compactMap { $0 }.filter { $0.foreignKey?.owned.isEmpty == true }.compactMap(\.slot)
            .filter(named.contains).map { descriptor.properties[$0] }
    }

    /// The relationships that would need several results of the query: the key that they lead to is of parts, and not all of their columns are those of
    /// other properties.
    var relationshipsOfSeveralResults: [RelationshipMapping] {
        relationships.compactMap { $0 }.filter { relationship in
            guard case .foreignKey(let column) = relationship.storage, let foreignKey = column.foreignKey else {
                return false
            }
            return !foreignKey.owned.isEmpty
        }
    }

    /// The property that the query gives as the key although its column is none of whole numbers of up to 64 bits, with a sign; `nil` where
    /// there is none. A `UInt64` is a `numeric`: half of its values are above what an identifier holds.
    func keyWithoutNumber(in mapping: StoreMapping) -> String? {
        guard let (owner, slot) = declaredQuery?.propertyGivenAsKey(of: descriptor),
            let column = mapping.entity(for: owner)?.queriedColumn(slot),
            ![PostgresType.int2, .int4, .int8].contains(column.type)
        else { return nil }
        return "\(owner.properties[slot].qualifiedName), which is \(column.type) in the database"
    }

    /// Throws for a class whose objects nobody can write or lock.
    ///
    /// - Parameter what: `be deleted`
    package func requireTable(to what: String) throws(SwiftDataError) {
        guard isView else { return }
        throw SwiftDataError(
            .unsupportedFeature,
            "Objects of \(name) cannot \(what): they are rows of a view (DatabaseView). Change the objects of the classes that it "
                + "reads.")
    }
}
