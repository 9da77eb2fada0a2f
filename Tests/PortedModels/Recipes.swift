import Foundation
import SwiftData

struct Nutrition: Codable, Hashable {
    var calories: Int
    var protein: Double
    var allergens: [String] = []
}

enum Difficulty: Int, Codable, CaseIterable {
    case easy = 1
    case medium
    case hard

    var title: String {
        switch self {
        case .easy: return "Easy"
        case .medium: return "Medium"
        case .hard: return "Hard"
        }
    }
}

@Model
class Recipe {
    var title: String
    var summary: String
    var servings: Int
    var cookingTime: TimeInterval
    var difficulty: Difficulty
    var nutrition: Nutrition?
    var isFavorite: Bool
    var keywords: [String]
    @Attribute(.externalStorage) var photo: Data?
    var source: URL?
    @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe) var ingredients: [Ingredient]
    @Relationship(deleteRule: .cascade, inverse: \RecipeStep.recipe) var steps: [RecipeStep]
    @Relationship(inverse: \RecipeTag.recipes) var tags: [RecipeTag]

    init(
        title: String,
        summary: String = "",
        servings: Int = 2,
        cookingTime: TimeInterval = 1800,
        difficulty: Difficulty = .easy,
        ingredients: [Ingredient] = [],
        steps: [RecipeStep] = [],
        tags: [RecipeTag] = []
    ) {
        self.title = title
        self.summary = summary
        self.servings = servings
        self.cookingTime = cookingTime
        self.difficulty = difficulty
        self.isFavorite = false
        self.keywords = []
        self.ingredients = ingredients
        self.steps = steps
        self.tags = tags
    }

    var orderedSteps: [RecipeStep] {
        steps.sorted { $0.order < $1.order }
    }
}

@Model
class Ingredient {
    var name: String
    var amount: Double
    var unit: String
    var recipe: Recipe?

    init(_ name: String, amount: Double, unit: String = "g") {
        self.name = name
        self.amount = amount
        self.unit = unit
    }
}

@Model
class RecipeStep {
    var order: Int
    var text: String
    var recipe: Recipe?

    init(order: Int, text: String) {
        self.order = order
        self.text = text
    }
}

@Model
class RecipeTag {
    @Attribute(.unique) var name: String
    var recipes: [Recipe] = []

    init(name: String) {
        self.name = name
    }
}

extension Recipe {
    static func filter(searchText: String, tag: String?, favoritesOnly: Bool) -> Predicate<Recipe> {
        let tagName = tag ?? ""
        let anyTag = tag == nil
        return #Predicate<Recipe> { recipe in
            (searchText.isEmpty || recipe.title.localizedStandardContains(searchText)
                || recipe.summary.localizedStandardContains(searchText))
                && (anyTag || recipe.tags.contains { $0.name == tagName })
                && (!favoritesOnly || recipe.isFavorite)
        }
    }

    static func quick(within seconds: TimeInterval) -> FetchDescriptor<Recipe> {
        FetchDescriptor<Recipe>(
            predicate: #Predicate { $0.cookingTime <= seconds },
            sortBy: [SortDescriptor(\.cookingTime, order: .forward), SortDescriptor(\.title, order: .reverse)])
    }
}

struct RecipeRepository {
    let context: ModelContext

    func seed() throws {
        let italian = RecipeTag(name: "italian")
        let vegan = RecipeTag(name: "vegan")
        let pasta = Recipe(
            title: "Pasta al pomodoro", summary: "A classic", cookingTime: 1200,
            ingredients: [Ingredient("Pasta", amount: 200), Ingredient("Tomato", amount: 400)],
            steps: [RecipeStep(order: 2, text: "Mix"), RecipeStep(order: 1, text: "Boil")],
            tags: [italian, vegan])
        pasta.nutrition = Nutrition(calories: 620, protein: 18.5, allergens: ["gluten"])
        pasta.photo = Data(repeating: 7, count: 4096)
        pasta.source = URL(string: "https://example.com/pasta")
        pasta.keywords = ["quick", "summer"]
        let risotto = Recipe(title: "Risotto", cookingTime: 2700, difficulty: .medium, tags: [italian])
        risotto.isFavorite = true
        context.insert(pasta)
        context.insert(risotto)
        try context.save()
    }

    func recipes(matching text: String = "", tag: String? = nil, favoritesOnly: Bool = false) throws -> [Recipe] {
        try context.fetch(
            FetchDescriptor<Recipe>(
                predicate: Recipe.filter(searchText: text, tag: tag, favoritesOnly: favoritesOnly),
                sortBy: [SortDescriptor(\Recipe.title)]))
    }

    func quickRecipes() throws -> [Recipe] {
        try context.fetch(Recipe.quick(within: 1800))
    }

    func delete(_ recipes: [Recipe], at offsets: IndexSet) throws {
        for index in offsets {
            context.delete(recipes[index])
        }
        try context.save()
    }

    func tag(named name: String) throws -> RecipeTag {
        let predicate = #Predicate<RecipeTag> { $0.name == name }
        if let existing = try context.fetch(FetchDescriptor(predicate: predicate)).first { return existing }
        let tag = RecipeTag(name: name)
        context.insert(tag)
        return tag
    }
}
