/// The singular and the plural of an English noun in small letters, by the rules that cover names of tables.
///
/// What no rule covers stays as it is: a class may be called like its table, and is not called wrongly.
enum EnglishNoun {
    private static let irregular: [(singular: String, plural: String)] = [
        ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"), ("foot", "feet"),
        ("tooth", "teeth"), ("mouse", "mice"), ("goose", "geese"), ("datum", "data"), ("medium", "media"),
        ("criterion", "criteria"), ("index", "indices"), ("matrix", "matrices"), ("vertex", "vertices"),
        ("leaf", "leaves"), ("shelf", "shelves"), ("half", "halves"), ("life", "lives"), ("knife", "knives"),
        ("wife", "wives"), ("analysis", "analyses"), ("basis", "bases"), ("axis", "axes"), ("hero", "heroes"),
        ("potato", "potatoes"), ("quiz", "quizzes"), ("movie", "movies"), ("cookie", "cookies"), ("lie", "lies"),
        ("tie", "ties"), ("cache", "caches"), ("house", "houses"), ("course", "courses"), ("purchase", "purchases"),
        ("database", "databases"), ("release", "releases"), ("response", "responses"), ("license", "licenses"),
        ("expense", "expenses"), ("case", "cases"), ("base", "bases"), ("phase", "phases"), ("use", "uses"),
        ("warehouse", "warehouses"), ("lease", "leases"), ("disease", "diseases"), ("clause", "clauses"),
        ("size", "sizes"), ("prize", "prizes"), ("axe", "axes"), ("shoe", "shoes"), ("zone", "zones"),
    ]

    /// Without a plural of their own, or names of one thing that end with an s.
    private static let invariable: Set<String> = [
        "series", "species", "news", "equipment", "information", "sheep", "fish", "staff", "metadata",
        "status", "address", "business", "process", "access", "class", "bus", "campus", "virus", "bonus", "census",
        "corpus", "focus", "alias", "canvas", "atlas", "gas", "lens", "progress", "success", "boss", "glass",
        "pass", "kudos", "chaos", "https", "dns", "sms", "gps", "css", "aws", "os", "is", "has", "this", "was", "as",
        "plus", "minus", "mass", "loss", "cross", "press", "dress", "stress", "witness", "fitness", "harness",
        "analytics",
        "statistics", "physics",
    ]

    static func singular(_ word: String) -> String {
        for (singular, plural) in irregular where word == plural { return singular }
        if invariable.contains(word) || word.count < 3 || !word.hasSuffix("s") { return word }
        for (ending, replacement) in [
            ("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("zzes", "zz"), ("uses", "us"),
            ("iases", "ias"),
        ] where word.hasSuffix(ending) && word.count > ending.count {
            return String(word.dropLast(ending.count)) + replacement
        }
        if word.hasSuffix("ss") || word.hasSuffix("us") || word.hasSuffix("is") { return word }
        return String(word.dropLast())
    }

    static func plural(_ word: String) -> String {
        for (singular, plural) in irregular where word == singular { return plural }
        if irregular.contains(where: { $0.plural == word }) { return word }
        if ["series", "species", "news", "equipment", "information", "sheep", "fish", "staff", "metadata"].contains(
            word)
        {
            return word
        }
        if let last = word.last, last == "y", let before = word.dropLast().last, !"aeiou".contains(before) {
            return String(word.dropLast()) + "ies"
        }
        if word != singular(word) { return word }
        for ending in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(ending) { return word + "es" }
        return word + "s"
    }
}
