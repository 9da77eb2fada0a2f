import Foundation
import StrataClient
import StrataModels

extension SchemaValidation {
    /// What is a default in Swift can be one of the column where it is a constant, and where rows of no other class have the column. In tables of
    /// others the defaults are theirs; a class says the same there as in a store of Strata's, and opening says where a column has none.
    mutating func checkServerDefaults(of entity: EntityMapping) {
        for slot in entity.descriptor.ownSlots {
            guard let attribute = entity.descriptor.properties[slot] as? AnyAttributeProperty,
                attribute.options.contains(.serverDefault)
            else { continue }
            checkServerDefault(attribute, isKey: entity.keySlots.contains(slot), of: entity)
        }
    }

    private mutating func checkServerDefault(_ attribute: AnyAttributeProperty, isKey: Bool, of entity: EntityMapping) {
        func refuse(_ problem: String, remedy: String) {
            report(entity.name, attribute.name, "it is marked .serverDefault\(problem)", remedy: remedy)
        }
        let others: [Schema.Attribute.Option] = [
            .ephemeral, .generated, .tenant, .creationDate, .modificationDate, .deletionDate,
        ]
        let expression = DefaultExpression(attribute)
        if entity.isView {
            refuse(", and nobody inserts into a view", remedy: "remove the option")
        } else if isKey {
            refuse(", and is of the key, which no two rows have in common", remedy: "remove the option")
        } else if let other = others.first(where: attribute.options.contains) {
            refuse(" and .\(other.word)", remedy: "remove one of the two options")
        } else if entity.base !== entity {
            refuse(
                ", and rows of all classes stand in the table of \(entity.root.name): those of others would get it too",
                remedy: "remove the option, or declare the property in \(entity.root.name)")
        } else if [PostgresType.timestamptz, .timestamptz.array, .date, .date.array].contains(attribute.columnType) {
            refuse(
                ", and is a day or a moment, of which nobody can tell whether it is the same each time or made from the day on which the program starts",
                remedy: "remove the option; .creationDate and .modificationDate are dates that saves set")
        } else if !expression.isConstant {
            refuse(
                expression.text == nil && attribute.defaultValue == nil
                    ? ", and has no initializer that gives a value"
                    : ", and its initializer is not the same constant each time, as a default in a table is",
                remedy: "write a literal behind it, or remove the option")
        } else if let precision = attribute.precision, let number = attribute.defaultValue as? Decimal,
            !precision.holds(number)
        {
            refuse(", and its initializer \(precision.refusal)", remedy: "write another number behind it")
        }
    }
}
