public import Strata

/// A program that shows a database in a browser with the models of an application: their classes, relationships, delete rules and the
/// cases of their enumerations.
///
/// An executable target that depends on the models, on `Strata` and on `StrataStudio`, with this in it, is all it takes:
///
/// ```swift
/// import ShopModels
/// import Strata
/// import StrataStudio
///
/// @main struct ShopStudio: StudioProgram {
///     static var schema: Schema { Schema(versionedSchema: CatalogV1.self) }
/// }
/// ```
///
/// ```
/// swift run ShopStudio --database-url postgres://localhost/shop
/// ```
///
/// Its arguments are those of `strata-studio`. The models are looked at and no more: the program makes no tables, migrates nothing, and
/// edits as `strata-studio` does. A class or property without its table or column is not shown, nor is a class that the models do not
/// have; the page of a deletion names the tables of such classes that refer to the object's. Other PostgreSQL schemas of the database describe
/// themselves.
public protocol StudioProgram {
    /// The application's models.
    static var schema: Schema { get }
    /// The PostgreSQL schema in which their store lies: `ModelConfiguration.postgresSchema`. `public`, unless it says otherwise.
    static var postgresSchema: String { get }
}

extension StudioProgram {
    /// Where stores lie that say nothing else.
    public static var postgresSchema: String { "public" }

    // @concurrent: the compiler takes no other asynchronous main of another module.
    /// Does what the process's arguments say until somebody ends it (Ctrl-C, SIGTERM).
    @concurrent public static func main() async { await StudioCommand.main(models: schema, in: postgresSchema) }
}
