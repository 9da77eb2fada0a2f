// A program that has a studio names its models: `import StrataStudio` is all it needs.
@_exported public import Strata
