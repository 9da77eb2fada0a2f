import Foundation
import SwiftData

// Three versions of a film collection, as migration articles have them: the second removes doubles before it makes a
// name unique, the third splits a value.

enum MoviesSchemaV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Movie.self] }

    @Model
    final class Movie {
        var title: String
        var director: String
        var stars: Int?
        init(title: String, director: String) {
            self.title = title
            self.director = director
        }
    }
}

enum MoviesSchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 1, 0)
    static var models: [any PersistentModel.Type] { [Movie.self] }

    @Model
    final class Movie {
        @Attribute(.unique) var title: String
        var director: String
        @Attribute(originalName: "stars") var rating: Int?
        init(title: String, director: String) {
            self.title = title
            self.director = director
        }
    }
}

enum MoviesSchemaV3: VersionedSchema {
    static let versionIdentifier: Schema.Version = .init(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Movie.self, Director.self] }
}

extension MoviesSchemaV3 {
    @Model
    final class Movie {
        @Attribute(.unique) var title: String
        var director: String
        var rating: Int?
        var person: Director?
        init(title: String, director: String) {
            self.title = title
            self.director = director
        }
    }

    @Model
    final class Director {
        #Unique<Director>([\.name])
        var name: String
        @Relationship(deleteRule: .nullify, inverse: \Movie.person) var movies: [Movie] = []
        init(name: String) { self.name = name }
    }
}

typealias Movie = MoviesSchemaV3.Movie
typealias Director = MoviesSchemaV3.Director

struct MoviesMigrationPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [
        MoviesSchemaV1.self, MoviesSchemaV2.self, MoviesSchemaV3.self,
    ]

    static var stages: [MigrationStage] { [removeDoubles, splitDirectors] }

    static let removeDoubles = MigrationStage.custom(
        fromVersion: MoviesSchemaV1.self,
        toVersion: MoviesSchemaV2.self,
        willMigrate: { context in
            let movies = try context.fetch(
                FetchDescriptor<MoviesSchemaV1.Movie>(sortBy: [SortDescriptor(\.title)]))
            var seen = Set<String>()
            for movie in movies where !seen.insert(movie.title).inserted {
                context.delete(movie)
            }
            try context.save()
        },
        didMigrate: nil)

    static let splitDirectors = MigrationStage.custom(
        fromVersion: MoviesSchemaV2.self, toVersion: MoviesSchemaV3.self, willMigrate: nil
    ) { context in
        let movies = try context.fetch(FetchDescriptor<MoviesSchemaV3.Movie>())
        var directors: [String: MoviesSchemaV3.Director] = [:]
        for movie in movies {
            let director = directors[movie.director] ?? MoviesSchemaV3.Director(name: movie.director)
            directors[movie.director] = director
            movie.person = director
        }
        try context.save()
    }
}

struct MovieStore {
    static func first(at url: URL) throws -> ModelContainer {
        try ModelContainer(for: Schema(versionedSchema: MoviesSchemaV1.self), configurations: .init(url: url))
    }

    static func current(at url: URL) throws -> ModelContainer {
        let schema = Schema(versionedSchema: MoviesSchemaV3.self)
        return try ModelContainer(
            for: schema, migrationPlan: MoviesMigrationPlan.self,
            configurations: ModelConfiguration(schema: schema, url: url))
    }

    static func titles(in container: ModelContainer) throws -> [String: [String]] {
        let context = ModelContext(container)
        let directors = try context.fetch(FetchDescriptor<Director>())
        return Dictionary(uniqueKeysWithValues: directors.map { ($0.name, $0.movies.map(\.title).sorted()) })
    }
}
