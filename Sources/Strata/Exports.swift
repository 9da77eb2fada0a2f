// What `import Strata` brings: StrataContext, and with it the model graph, and the asynchronous forms of SwiftData's calls.
//
// They are a module of their own because `import SwiftData` must not bring them. Where a call has both forms, Swift takes the
// asynchronous one in an asynchronous function and asks for `await`, which files written for SwiftData do not have: they
// get the blocking forms only. What Strata has beyond SwiftData has both forms in StrataContext.
@_exported public import StrataContext
