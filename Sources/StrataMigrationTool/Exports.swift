// A program that embeds the tool names its plan: `import StrataMigrationTool` is all it needs.
@_exported public import Strata
