package import StrataClient
package import StrataModels

/// A statement that reads one page: the columns that make the objects, and behind them the text of each sort term.
package struct PageStatement {
    package let statement: PostgresStatement
    package let list: SelectList
    let order: PageOrder

    /// The place of a row in the order.
    package func cursor(at row: PostgresRow) -> PageCursor { order.cursor(at: row, behind: list.count) }
}
