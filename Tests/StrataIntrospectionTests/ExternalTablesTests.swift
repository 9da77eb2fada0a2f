import Foundation
import Strata
import StrataClient
import StrataModels
import StrataTestSupport
import Testing
import TradingModels
import UnusualModels

@Suite struct ExternalTablesTests {
    private func key(_ object: (any PersistentModel)?) -> String {
        object.map { "\($0.persistentModelID.key)" } ?? "-"
    }

    private func text(_ date: Date?) -> String {
        guard let date else { return "-" }
        return "\(Int((date.timeIntervalSince1970 * 1_000_000).rounded()))"
    }

    @Test func everyRowIsReadAsSQLReadsIt() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let products = try await context.fetch(FetchDescriptor<Product>()).map { product in
                let tags = product.tags.joined(separator: ",")
                return
                    "\(key(product)) \(product.productName) \(key(product.supplier)) \(key(product.category)) \(product.unitPrice) "
                    + "\(product.unitsInStock) \(product.discontinued) \(tags) \(product.weight ?? -1) \(product.volume ?? -1) "
                    + "\(product.token.uuidString.lowercased()) \(product.details == nil)"
            }
            let expected = try await connection.lines(
                """
                SELECT product_id || ' ' || product_name || ' ' || coalesce(supplier_id::text, '-') || ' ' || category_id || ' '
                    || trim_scale(unit_price) || ' ' || units_in_stock || ' ' || discontinued || ' ' || array_to_string(tags, ',') || ' '
                    || CASE WHEN weight % 1 = 0 THEN weight || '.0' ELSE weight::text END || ' '
                    || CASE WHEN volume % 1 = 0 THEN volume || '.0' ELSE volume::text END || ' ' || token || ' ' || (details IS NULL)
                FROM (SELECT *, weight::numeric AS exact FROM products) AS p (product_id, product_name, supplier_id, category_id, unit_price,
                    units_in_stock, discontinued, tags, details, f4, f8, token, exact)
                CROSS JOIN LATERAL (SELECT f4::numeric) AS a (weight) CROSS JOIN LATERAL (SELECT f8) AS b (v)
                CROSS JOIN LATERAL (SELECT f8::text::numeric) AS c (volume)
                """)
            #expect(products.sorted() == expected.sorted())
            let details = try #require(
                try await context.fetch(FetchDescriptor<Product>()).first { $0.details != nil }?.details)
            guard case .object(let fields) = details else { throw Unexpected() }
            #expect(fields["list"] == .array([.number(Decimal(15) / 10), .bool(true), .null]))

            let employees = try await context.fetch(FetchDescriptor<Employee>()).map { employee in
                "\(key(employee)) \(employee.lastName) \(employee.country ?? "-") \(text(employee.hiredAt)) \(text(employee.leftAt)) "
                    + "\(key(employee.reportsTo)) \(employee.employeesByReportsTo.count) \(employee.badge?.color ?? "-") "
                    + "\(employee.territories.count) \(employee.ordersBySeller.count)"
            }
            let expectedEmployees = try await connection.lines(
                """
                SELECT e.employee_id || ' ' || last_name || ' ' || coalesce(rpad(country, 3), '-') || ' '
                    || (extract(epoch FROM hired_at) * 1000000)::bigint || ' '
                    || coalesce((extract(epoch FROM left_at AT TIME ZONE 'UTC') * 1000000)::bigint::text, '-') || ' '
                    || coalesce(reports_to::text, '-') || ' ' || (SELECT count(*) FROM employees r WHERE r.reports_to = e.employee_id) || ' '
                    || (SELECT color FROM badges b WHERE b.employee_id = e.employee_id) || ' '
                    || (SELECT count(*) FROM employee_territories t WHERE t.employee_id = e.employee_id) || ' '
                    || (SELECT count(*) FROM orders o WHERE o.seller_id = e.employee_id)
                FROM employees e
                """)
            #expect(employees.sorted() == expectedEmployees.sorted())
        }
    }

    private struct Unexpected: Error {}

    @Test func rowsWithAKeyOfSeveralColumnsAreObjects() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            func expected() async throws -> [String] {
                try await connection.lines(
                    "SELECT order_id || ' ' || product_id || ' ' || quantity FROM order_details ORDER BY order_id, product_id"
                )
            }
            func text(_ detail: OrderDetail) -> String {
                "\(key(detail.order)) \(key(detail.product)) \(detail.quantity)"
            }
            let all = try await context.fetch(FetchDescriptor<OrderDetail>())
            let stored = try await expected()
            #expect(all.count == 50 && all.map(text).sorted() == stored.sorted())
            let orders = try await context.fetch(FetchDescriptor<Order>())
            #expect(orders.allSatisfy { $0.orderDetails.count == 1 })
            // Of a column that is integer, in a key whose other column is bigint.
            let third = try #require(all.first { key($0.order) == "3" })
            let product = try await context.model(Product.self, id: 77)
            context.insert(OrderDetail(order: third.order, product: product, quantity: 5))
            third.quantity = 6
            let new = Order(seller: third.order.seller)
            new.orderDetails = [OrderDetail(order: new, product: product, quantity: 7)]
            context.insert(new)
            try await context.save()
            let changed = try await connection.lines(
                "SELECT quantity::text FROM order_details WHERE quantity IN (5, 6, 7) AND order_id IN (3, 51) ORDER BY 1"
            )
            #expect(changed == ["5", "6", "7"])
            let other = ModelContext(container)
            let found = try await other.model(
                OrderDetail.self, key: new.persistentModelID, product.persistentModelID)
            #expect(found.quantity == 7 && found.order.orderDetails == [found])
            // Again: the row that is there.
            let again = ModelContext(container)
            again.insert(
                OrderDetail(
                    order: try await again.model(Order.self, id: 51),
                    product: try await again.model(Product.self, id: 77),
                    quantity: 8))
            try await again.save()
            try await other.refresh([found])
            #expect(found.quantity == 8)
            other.delete(found)
            try await other.save()
            #expect(try await connection.lines("SELECT count(*)::text FROM order_details WHERE order_id = 51") == ["0"])
            // Rows are sent in the width of the columns that Strata makes.
            let refused = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: OrderDetail.self, \.order.persistentModelID, \.product.persistentModelID, \.quantity,
                    rows: [(new.persistentModelID, product.persistentModelID, Int16(1))])
            }
            #expect(
                refused?.message.contains("order_details.product_id is integer") == true,
                "\(String(describing: refused))")
        }
    }

    @Test func referencesToKeysOfSeveralColumnsLeadThere() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let details = try await context.fetch(
                FetchDescriptor<OrderDetail>(sortBy: [SortDescriptor(\.persistentModelID)]))
            let (first, second) = (details[0], details[1])
            let returned = Return(reason: "broken")
            returned.orderDetail = first
            context.insert(returned)
            let delivery = Delivery(order: second.order, number: 1)
            delivery.orderDetail = second
            context.insert(delivery)
            try await context.save()
            func stored() async throws -> [String] {
                try await connection.lines(
                    """
                    SELECT ((r.order_id, r.product_id) = (\(key(first.order)), \(key(first.product))))::text FROM returns r UNION ALL
                    SELECT ((d.order_id, d.detail_product_id) = (\(key(second.order)), \(key(second.product))))::text FROM deliveries d
                    """)
            }
            #expect(try await stored() == ["true", "true"])
            let other = ModelContext(container)
            let found = try await other.fetch(
                FetchDescriptor<Return>(predicate: #Predicate { $0.orderDetail?.quantity != nil }))
            #expect(found.map { $0.orderDetail?.persistentModelID } == [first.persistentModelID])
            #expect(found[0].orderDetail?.returns.map(\.reason) == ["broken"])
            let deliveries = try await other.fetch(FetchDescriptor<Delivery>())
            #expect(deliveries[0].orderDetail?.persistentModelID == second.persistentModelID)
            // The order is the key's: another one's detail is refused.
            deliveries[0].orderDetail = found[0].orderDetail
            let refused = await #expect(throws: SwiftDataError.self) { try await other.save() }
            #expect(
                refused?.message.contains("Delivery.orderDetail and Delivery.order have the column order_id in common")
                    == true, "\(String(describing: refused))")
            other.rollback()
            // The server empties what is the reference's own.
            try await connection.run(
                PostgresBatch(PostgresStatement(PreparedSQL("DELETE FROM order_details", isCached: false))))
            let last = ModelContext(container)
            #expect(try await last.fetch(FetchDescriptor<Return>()).map { $0.orderDetail == nil } == [true])
            #expect(try await last.fetch(FetchDescriptor<Delivery>()).map { $0.orderDetail == nil } == [true])
        }
    }

    /// The key's columns are in another order than the table's, one is a smallint, one a varchar.
    @Test func partsOfOtherTypesAreReadAndWritten() async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            let container = try await database.container(of: UnusualSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            func texts(_ seats: [Seat]) -> [String] {
                seats.map { "\(key($0.visit)) \($0.row) \($0.hall) \($0.note ?? "-")" }
            }
            let descriptor = FetchDescriptor<Seat>(sortBy: [SortDescriptor(\.row)])
            let seats = try await context.fetch(descriptor)
            #expect(texts(seats) == ["1 -3 main window", "1 7 side, \"left\" -"])
            #expect(key(seats[1]) == #"[1, 7, "side, \"left\""]"#)
            let visit = seats[0].visit
            let identifier = visit.persistentModelID
            let found = try await ModelContext(container).fetch(
                FetchDescriptor<Seat>(
                    predicate: #Predicate {
                        $0.row < 0 && $0.hall == "main" && $0.visit.persistentModelID == identifier
                    }))
            #expect(found.map(\.note) == ["window"])
            let pairs = try await context.fetch(descriptor, selecting: \.row, \.persistentModelID)
            #expect(pairs.map(\.0) == [-3, 7] && pairs.map(\.1) == seats.map(\.persistentModelID))
            let page = try await context.fetchPage(FetchDescriptor<Seat>(), after: nil, size: 1)
            let next = try await context.fetchPage(FetchDescriptor<Seat>(), after: page.next, size: 1)
            #expect(page.objects + next.objects == seats)
            seats[0].note = "aisle"
            context.insert(Seat(visit: visit, hall: "main", row: 12))
            context.delete(seats[1])
            try await context.save()
            let rows = try await connection.lines(
                "SELECT concat_ws(' ', visit_id, \"row\", hall, note) FROM seat ORDER BY \"row\"")
            #expect(rows == ["1 -3 main aisle", "1 12 main"])
            let again = try await ModelContext(container).existingModel(
                Seat.self, key: visit.persistentModelID, 12, "main")
            #expect(again?.row == 12)
        }
    }

    @Test func objectsAreInsertedChangedAndDeleted() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            // Keys of an identity that is GENERATED ALWAYS, of a serial, and of a smallint.
            let employee = Employee(lastName: "New", firstName: "One")
            let category = Category(categoryName: "Tea")
            let product = Product(productName: "Oolong", category: category)
            product.details = .object(["origin": .string("Taiwan")])
            employee.leftAt = Date(timeIntervalSince1970: 1_700_000_000.5)
            for model in [employee, category, product] as [any PersistentModel] { context.insert(model) }
            employee.territories = Array(try await context.fetch(FetchDescriptor<Territory>()).prefix(2))
            try await context.save()
            #expect(
                try await connection.lines(
                    "SELECT employee_id || ' ' || left_at FROM employees WHERE last_name = 'New'")
                    == ["10 2023-11-14 22:13:20.5"])
            #expect(
                try await connection.lines(
                    "SELECT p.product_id || ' ' || c.category_id || ' ' || p.details FROM products p JOIN categories c USING (category_id) "
                        + "WHERE category_name = 'Tea'") == [#"78 9 {"origin": "Taiwan"}"#])
            #expect(
                try await connection.lines("SELECT count(*)::text FROM employee_territories WHERE employee_id = 10")
                    == ["2"])

            product.unitPrice = Decimal(1234) / 100
            product.supplier = try await context.fetch(FetchDescriptor<Supplier>()).first
            employee.leftAt = nil
            // The foreign key of the links has no CASCADE: as long as there are any, the server refuses.
            employee.territories = []
            try await context.save()
            #expect(
                try await connection.lines(
                    "SELECT unit_price || ' ' || supplier_id FROM products WHERE product_id = 78")
                    == ["12.34 1"])

            context.delete(product)
            context.delete(employee)
            try await context.save()
            #expect(
                try await connection.lines(
                    "SELECT (SELECT count(*) FROM products WHERE product_id = 78) || ' ' || (SELECT count(*) FROM employees "
                        + "WHERE employee_id = 10)") == ["0 0"])
            // SQL of others gets other keys.
            let next = Category(categoryName: "Next")
            context.insert(next)
            try await context.save()
            #expect(
                try await connection.lines(
                    "INSERT INTO categories (category_name) VALUES ('Other') RETURNING (category_id <> \(next.persistentModelID.key))::text"
                )
                    == ["true"])
        }
    }

    @Test func rulesOfTheDatabaseHold() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let product = try #require(try await context.fetch(FetchDescriptor<Product>()).first)
            product.unitPrice = -1
            await #expect(throws: SwiftDataError.self) { try await context.save() }
            context.rollback()
            // A seller of orders cannot go, an order takes its lines along.
            let seller = try #require(try await context.fetch(FetchDescriptor<Order>()).first?.seller)
            context.delete(seller)
            await #expect(throws: SwiftDataError.self) { try await context.save() }
            context.rollback()
            let order = try #require(try await context.fetch(FetchDescriptor<Order>()).first)
            context.delete(order)
            try await context.save()
            #expect(
                try await connection.lines(
                    "SELECT (SELECT count(*) FROM orders) || ' ' || (SELECT count(*) FROM order_details)") == ["49 49"])
        }
    }

    @Test func aTableWithoutSequenceTakesTheKeysOfObjects() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            context.insert(Shipper(shipperId: 3, classValue: "new"))
            try await context.save()
            #expect(try await connection.lines("SELECT \"class\" FROM shippers WHERE shipper_id = 3") == ["new"])
            context.insert(Shipper(shipperId: 0, classValue: "none"))
            await #expect {
                try await context.save()
            } throws: { error in
                (error as? SwiftDataError)?.message.contains("Shipper.shipperId") == true
            }
            context.rollback()
            #expect(try await context.existingModel(Shipper.self, id: 2)?.classValue == "slow")
            let shipper = try #require(
                try await context.fetch(FetchDescriptor<Shipper>()).first { $0.classValue == "fast" })
            shipper.defaultValue = 8
            try await context.save()
            #expect(try await connection.lines("SELECT \"default\"::text FROM shippers WHERE shipper_id = 1") == ["8"])
        }
    }

    @Test func nothingIsMadeAndNoRightIsNeeded() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let role = "reader_\(UUID().uuidString.lowercased().prefix(8))"
            for statement in [
                "REVOKE CREATE ON SCHEMA public FROM PUBLIC", "CREATE ROLE \(role) LOGIN",
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)",
            ] {
                try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(statement, isCached: false))))
            }
            let before = try await connection.lines("SELECT count(*)::text FROM pg_class")
            let container = try await database.container(of: TradingSchema.self) { configuration in
                configuration.url = reader(role, configuration.url)
            }
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Product>()) == 77)
            await container.close()
            #expect(try await connection.lines("SELECT count(*)::text FROM pg_class") == before)
            for statement in ["DROP OWNED BY \(role)", "DROP ROLE \(role)"] {
                try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(statement, isCached: false))))
            }
        }
    }

    private func reader(_ role: String, _ url: URL) -> URL {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        components?.user = role
        return components?.url ?? url
    }

    @Test func everythingUnusualIsReadAndWritten() async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            let container = try await database.container(of: UnusualSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let weird = try await context.fetch(FetchDescriptor<WeirdName>())
            #expect(weird.map(\.select) == Array(repeating: "tab\tand \"quote\" \\ slash", count: 3))
            #expect(Set(weird.map(\.ümlaut)) == ["ü"])
            context.insert(WeirdName())
            let data = try await context.fetch(FetchDescriptor<Datum>())
            #expect(data.map(\.level).sorted() == [1, 2, 3])
            let root = try #require(try await context.fetch(FetchDescriptor<Member>()).first { $0.parent == nil })
            #expect(root.children.count == 2)
            #expect(root.followers.count == 2)
            #expect(root.followeds.map(\.name) == ["leaf"])
            root.followers = []
            try await context.save()
            #expect(try await connection.lines("SELECT count(*)::text FROM follows") == ["1"])
            #expect(
                try await connection.lines(
                    #"SELECT "select" || '|' || "two words" FROM "Weird Names" WHERE "2nd" IS NULL"#)
                    == ["tab\tand \"quote\" \\ slash|-1"])
            let values = try await context.fetch(FetchDescriptor<Sight>(), selecting: \.city?.persistentModelID)
            #expect(values.compactMap { $0?.key }.sorted() == [1, 2])
        }
    }

    @Test func tablesWithKeysOfTextAreReadAndWritten() async throws {
        try await IntrospectedDatabase.unusual.with { database, connection in
            let container = try await database.container(of: UnusualSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let mark = try await context.model(Currency.self, id: "DEM")
            #expect(mark.replacedBy?.name == "Euro" && mark.prices.map(\.amount).sorted() == [1, 2, 3])
            #expect(mark.markets.map(\.mic) == ["XETR"])
            let prices = try await context.fetch(
                FetchDescriptor<Price>(predicate: #Predicate { $0.currencyCode.code == "EUR" }))
            #expect(prices.count == 3)
            let lari = Currency(code: "GEL", name: "Lari")
            lari.markets = [try await context.model(Market.self, id: "XPAR")]
            lari.prices = [Price(currencyCode: lari, amount: 7)]
            context.insert(lari)
            mark.name = "German mark"
            mark.markets = []
            context.delete(try await context.model(Currency.self, id: "FRF"))
            try await context.save()
            #expect(
                try await connection.lines(
                    """
                    SELECT concat_ws(' ', c.code, c.name, c.replaced_by, (SELECT sum(amount) FROM price WHERE currency_code = c.code),
                        (SELECT string_agg(market_mic, ',' ORDER BY 1) FROM market_currency WHERE currency_code = c.code))
                    FROM currency AS c ORDER BY c.code
                    """) == ["DEM German mark EUR 6", "EUR Euro 6 XETR,XPAR", "GEL Lari 7 XPAR"])
            // The server refuses what is longer than the column.
            context.insert(Currency(code: "LONG", name: "too long"))
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(refused?.code == .invalidValue, "\(String(describing: refused))")
        }
    }

    @Test func whatDoesNotFitIsSaid() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            for statement in [
                "ALTER TABLE products DROP COLUMN weight", "ALTER TABLE badges ALTER COLUMN color DROP DEFAULT",
                "ALTER TABLE badges ALTER COLUMN color TYPE bigint USING 1",
            ] {
                try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(statement, isCached: false))))
            }
            await #expect {
                _ = try await database.container(of: TradingSchema.self)
            } throws: { error in
                guard let error = error as? SwiftDataError, error.code == .storeDoesNotFit else { return false }
                return error.message.contains("products.weight is missing")
                    && error.message.contains("badges.color is bigint")
            }
        }
    }

    @Test func anExternalStoreHasNoHistoryAndNoPlan() async throws {
        try await IntrospectedDatabase.trading.with { database, _ in
            await #expect(throws: SwiftDataError.self) {
                var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
                configuration.tables = .external
                _ = try await ModelContainer(
                    for: Schema(versionedSchema: TradingSchema.self), configurations: [configuration])
            }
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            context.insert(Supplier(companyName: "A"))
            try await context.save()
            await #expect(throws: (any Error).self) {
                _ = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            }
        }
    }
}
