package import StrataClient
package import StrataModels

/// A statement that reads one page: columns of each row, the key first, and behind them the text of each sort term.
package struct PageStatement<Content> {
    package let statement: PostgresStatement
    let order: PageOrder
    /// How many columns stand before the texts.
    let width: Int
    /// How these columns are read.
    package let content: Content

    /// The place of a row in the order.
    package func cursor(at row: PostgresRow) -> PageCursor { order.cursor(at: row, behind: width) }
}
