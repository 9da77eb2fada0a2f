import SwiftSyntax

/// What is wrong with a `#Partition` in a model class: what PostgreSQL asks of a partitioned table (manual, 5.12.2.3), as far as the class alone says it.
struct PartitionChecks {
    let partition: ConstraintDeclaration
    let model: ModelDeclaration
    /// The class's own variables that have no column.
    let unstored: Set<String>

    /// All that is wrong; nothing for another declaration.
    func diagnostics() -> [ModelDiagnostic] {
        guard partition.kind == .partition else { return [] }
        let others = model.constraints.prefix { $0.syntax.id != partition.syntax.id }
        if others.contains(where: { $0.kind == .partition }) {
            return [ModelDiagnostic(partition.syntax.macroName, "'\(model.name)' has a '#Partition'")]
        }
        if model.isSubclass {
            return [
                ModelDiagnostic(
                    partition.syntax.macroName,
                    "'#Partition' takes a class without a superclass: a hierarchy has several tables, and no foreign key leads to a partitioned one"
                )
            ]
        }
        guard let keyPath = partition.partitionKey, let name = keyPath.propertyName else { return [] }
        if unstored.contains(name) {
            return [ModelDiagnostic(keyPath, "'\(name)' is not stored, so it cannot be in '#Partition'")]
        }
        return key(name) + uniques(name) + uniqueProperties(name)
    }

    /// The primary key has the property.
    private func key(_ name: String) -> [ModelDiagnostic] {
        guard let key = model.constraints.first(where: { $0.kind == .primaryKey }) else {
            return [
                ModelDiagnostic(
                    partition.syntax.macroName,
                    "the key of a partitioned class contains '\(name)': declare '#PrimaryKey<\(model.name)>([\\.…, \\.\(name)])'"
                )
            ]
        }
        return key.lists.filter { !$0.names.contains(name) }.map {
            ModelDiagnostic(
                $0, "the key of a class that '#Partition' divides by '\(name)' contains '\(name)': add \\.\(name)")
        }
    }

    /// So has what is unique.
    private func uniques(_ name: String) -> [ModelDiagnostic] {
        model.constraints.filter { $0.kind == .unique }.flatMap(\.lists).filter { !$0.names.contains(name) }.map {
            ModelDiagnostic(
                $0, "values are unique within a partition only: add \\.\(name), by which '#Partition' divides the class"
            )
        }
    }

    private func uniqueProperties(_ name: String) -> [ModelDiagnostic] {
        model.properties.compactMap { property in
            guard property.name != name,
                let attribute = property.attributes.first(where: { attribute in
                    PropertyOption.all(of: attribute).contains { $0.name == "unique" }
                })
            else { return nil }
            return ModelDiagnostic(
                attribute,
                "values are unique within a partition only: declare '#Unique<\(model.name)>([\\.\(property.name), \\.\(name)])'"
            )
        }
    }
}

extension ArrayExprSyntax {
    /// The names of the properties in a list of key paths.
    fileprivate var names: [String] { elements.compactMap(\.propertyName) }
}
