// SwiftData's own name for the same thing: source written for SwiftData needs no other import.
@_exported public import StrataContext
