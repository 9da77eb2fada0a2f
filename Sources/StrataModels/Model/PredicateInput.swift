/// What `#Predicate` can ask about: models, and transactions of the history.
///
/// You never conform by hand.
public protocol PredicateInput {}
