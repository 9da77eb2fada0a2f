import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

@testable import StrataContext
@testable import StrataRepository

/// Rows of many tenants in the same tables: what is sent, what is seen, and what is refused.
@Suite(.timeLimit(.minutes(3))) struct RowTenantTests {
    /// Which tables there are and how each knows whose rows it has, as SQL.
    @Test func `tables have policies, and what is unique or searched begins with the tenant`() {
        let mapping = StoreMapping(RowTenantStore.schema, recordsHistory: false)
        let statements = TableCreation(DatabaseDefinition(mapping), in: "public").statements.map(\.text)
        let tenant = "NULLIF(current_setting('strata.tenant'::text, true), ''::text)"
        #expect(
            statements.filter { $0.contains("POLICY") } == [
                #"CREATE POLICY "strata_tenant" ON "public"."receipt" USING ("tenant" = \#(tenant))"#,
                #"CREATE POLICY "strata_tenant" ON "public"."refund" USING (EXISTS (SELECT FROM "public"."receipt" AS r WHERE r."pk" = "refund"."pk"))"#,
                #"CREATE POLICY "strata_tenant" ON "public"."receipt_line" USING ("tenant" = \#(tenant))"#,
                #"CREATE POLICY "strata_tenant" ON "public"."sticker" USING ("tenant" = \#(tenant))"#,
                #"CREATE POLICY "strata_tenant" ON "public"."receipt_labels" USING (EXISTS (SELECT FROM "public"."receipt" AS r WHERE r."pk" = "receipt_labels"."receipt_pk"))"#
                    + #" WITH CHECK (EXISTS (SELECT FROM "public"."receipt" AS r WHERE r."pk" = "receipt_labels"."receipt_pk")"#
                    + #" AND EXISTS (SELECT FROM "public"."sticker" AS r WHERE r."pk" = "receipt_labels"."sticker_pk"))"#,
            ])
        #expect(
            statements.filter { $0.contains("ROW LEVEL") && $0.contains(#""receipt" "#) } == [
                #"ALTER TABLE "public"."receipt" ENABLE ROW LEVEL SECURITY"#,
                #"ALTER TABLE "public"."receipt" FORCE ROW LEVEL SECURITY"#,
            ])
        #expect(
            statements.contains { $0.contains(#"CONSTRAINT "receipt_tenant_number_key" UNIQUE ("tenant", "number")"#) })
        #expect(
            statements.filter { $0.hasPrefix("CREATE INDEX") && $0.contains("tenant") } == [
                #"CREATE INDEX "receipt_tenant_customer_idx" ON "public"."receipt" ("tenant", "customer")"#,
                #"CREATE INDEX "receipt_line_tenant_idx" ON "public"."receipt_line" ("tenant")"#,
            ])
        #expect(
            statements.contains {
                $0.hasPrefix(#"CREATE VIEW "public"."customer_count" WITH (security_invoker = true) AS"#)
            })
    }

    @Test func `contexts of two tenants read and write their own rows of the same tables`() async throws {
        try await withRowTenants { store in
            let everybody = ModelContext(store.container)
            everybody.insert(Currency("EUR"))
            try await everybody.save()
            for name in ["acme", "beta"] {
                let context = try await ModelContext(store.container, tenant: name)
                let euro = try await context.fetch(FetchDescriptor<Currency>())[0]
                // The same numbers and names in both.
                let receipt = Receipt(1, customer: "\(name) Ada")
                receipt.currency = euro
                context.insert(receipt)
                context.insert(Refund(2, customer: "\(name) Bob", reason: "late"))
                context.insert(ReceiptLine("work", of: receipt))
                let label = Sticker("new")
                context.insert(label)
                label.receipts = [receipt]
                #expect(receipt.tenant == name)
                try await context.save()
            }
            #expect(try await store.customers("acme") == ["acme Ada", "acme Bob"])
            #expect(try await store.customers("beta") == ["beta Ada", "beta Bob"])

            let acme = try await ModelContext(store.container, tenant: "acme")
            #expect(acme.container.tenantName == "acme")
            let found = try await acme.fetch(FetchDescriptor<Receipt>(sortBy: [SortDescriptor(\.number)]))
            #expect(found.map(\.customer) == ["acme Ada", "acme Bob"])
            #expect((found[1] as? Refund)?.reason == "late")
            #expect(found[0].lines.map(\.text) == ["work"])
            #expect(found[0].labels.map(\.name) == ["new"])
            #expect(found[0].currency?.code == "EUR")
            // Whatever way rows are read: by values, views, SQL, cursors, streams, identifiers, in blocking calls.
            #expect(try await acme.fetchCount(FetchDescriptor<Receipt>()) == 2)
            #expect(try await acme.fetch(FetchDescriptor<Refund>(), selecting: \.reason) == ["late"])
            let counts = try await acme.fetch(FetchDescriptor<CustomerCount>(sortBy: [SortDescriptor(\.customer)]))
            #expect(counts.map(\.customer) == ["acme Ada", "acme Bob"])
            #expect(try await acme.fetch(Int.self, sql: "SELECT count(*) FROM receipt") == [2])
            #expect(try await acme.fetch(Int.self, sql: "SELECT count(*) FROM refund") == [1])
            #expect(try await acme.fetch(Int.self, sql: "SELECT count(*) FROM receipt_labels") == [1])
            var seen: [String] = []
            try await acme.enumerate(FetchDescriptor<Receipt>(), batchSize: 1) { seen.append($0.customer) }
            #expect(seen.sorted() == ["acme Ada", "acme Bob"])
            seen = []
            for try await receipt in acme.stream(FetchDescriptor<Receipt>(), pageSize: 1) {
                seen.append(receipt.customer)
            }
            #expect(seen.sorted() == ["acme Ada", "acme Bob"])
            #expect(try { try acme.fetchCount(FetchDescriptor<Receipt>()) }() == 2)
            #expect(try await acme.transaction { try await acme.fetchCount(FetchDescriptor<Receipt>()) } == 2)
            // A forgotten setting sees none, in any table.
            for table in ["receipt", "refund", "receipt_line", "sticker", "receipt_labels"] {
                #expect(
                    try await everybody.fetch(Int.self, sql: "SELECT count(*) FROM \(raw: table)") == [0], "\(table)")
            }
            try await acme.execute("UPDATE receipt SET customer = 'nobody'")
            try acme.delete(model: Receipt.self, where: #Predicate { $0.number == 2 })
            try await acme.save()
            #expect(try await store.customers("acme") == ["nobody"])
            #expect(try await store.customers("beta") == ["beta Ada", "beta Bob"])
        }
    }

    /// One statement more in each batch, and no round trip.
    @Test func `the tenant goes with each batch`() async throws {
        try await withRowTenants { store in
            let context = try await ModelContext(store.container, tenant: "acme")
            _ = try await context.fetch(FetchDescriptor<Receipt>())
            let setting = "SELECT pg_catalog.set_config($1, $2, true)"
            store.recorder.reset()
            _ = try await context.fetch(FetchDescriptor<Receipt>())
            #expect(store.recorder.roundTrips == 1)
            #expect(store.recorder.statements.first == setting)
            #expect(store.recorder.statements.count == 2)
            #expect(
                store.recorder.statements[1].hasSuffix(
                    #"FROM "public"."receipt" AS t0 LEFT JOIN "public"."refund" AS t1 ON t1."pk" = t0."pk""#),
                "\(store.recorder.statements)")
            context.insert(Sticker("new"))
            store.recorder.reset()
            try await context.save()
            // One that looks for the unique name, and one that writes.
            #expect(store.recorder.roundTrips == 2)
            #expect(store.recorder.flushes.allSatisfy { $0.contains(setting) }, "\(store.recorder.flushes)")
            // An upsert finds the row by tenant and name.
            context.insert(Sticker("new"))
            try await context.save()
            #expect(try await store.database.texts("SELECT tenant || name FROM sticker") == ["acmenew"])
            store.recorder.reset()
            let other = try await ModelContext(store.container, tenant: "beta")
            #expect(store.recorder.roundTrips == 0)
            #expect(try await other.fetchCount(FetchDescriptor<Sticker>()) == 0)
        }
    }

    @Test func `rows without objects are the tenant's`() async throws {
        try await withRowTenants { store in
            let context = try await ModelContext(store.container, tenant: "acme")
            try await context.insert(into: Receipt.self, \.number, \.customer, rows: [(1, "Ada"), (2, "Bob")])
            #expect(try await store.customers("acme") == ["Ada", "Bob"])
            // COPY is nothing for tables with policies; arrays are, in the same number of round trips.
            let isCopied = store.recorder.statements.contains { $0.hasPrefix("COPY") }
            #expect(!isCopied)
            #expect(
                store.recorder.statements.contains(
                    #"INSERT INTO "public"."receipt" ("pk", "class", "tenant", "number", "customer", "currency") "#
                        + "SELECT u.pk, u.c0, u.c1, u.c2, u.c3, u.c4 FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[]) "
                        + "AS u(pk, c0, c1, c2, c3, c4)"), "\(store.recorder.statements)")
            // A row whose number is there changes its customer, and others are new.
            try await context.insert(
                into: Receipt.self, \.number, \.customer, rows: [(2, "Bea"), (3, "Cy"), (4, "Di")],
                uniquePolicy: .upsert)
            #expect(try await store.customers("acme") == ["Ada", "Bea", "Cy", "Di"])
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Sticker.self, \.name, \.tenant, rows: [("a", "beta")])
            }
            #expect(error?.code == .unsupportedKeyPath)
            #expect(
                error?.message
                    == "Sticker.tenant is named for the rows inserted into Sticker, and says whose they are: they are the tenant \"acme\"'s, whose context "
                    + "inserts them. Leave it out.")
            let update = #expect(throws: SwiftDataError.self) {
                try context.update(model: Receipt.self, .set(\.tenant, to: "beta"))
            }
            #expect(
                update?.message
                    == "Receipt.tenant says whose row it is, which is final from insert on: no update by predicate sets it."
            )
        }
    }

    @Test func `an object of another tenant is refused, whichever way it comes`() async throws {
        try await withRowTenants { store in
            let acme = try await ModelContext(store.container, tenant: "acme")
            let beta = try await ModelContext(store.container, tenant: "beta")
            let named = Receipt(1)
            named.tenant = "beta"
            acme.insert(named)
            let foreign = await #expect(throws: SwiftDataError.self) { try await acme.save() }
            #expect(foreign?.code == .otherTenant)
            #expect(
                foreign?.message
                    == "A Receipt was inserted and left out: its tenant names the tenant \"beta\", and the context is \"acme\"'s. Insert it into a context of "
                    + "its tenant, or leave tenant as it is in a new object.")
            let receipt = Receipt(2, customer: "Ada")
            acme.insert(receipt)
            try await acme.save()
            for name in ["beta", ""] {
                receipt.tenant = name
                store.recorder.reset()
                let changed = await #expect(throws: SwiftDataError.self) { try await acme.save() }
                #expect(changed?.code == .otherTenant)
                #expect(changed?.identifiers == [receipt.persistentModelID])
                #expect(store.recorder.statements == [])
                acme.rollback()
            }
            beta.insert(ReceiptLine("line", of: receipt))
            await #expect(throws: SwiftDataError.foreignObject) { try await beta.save() }
            beta.rollback()
            // An identifier names the tenant that it was made for.
            let id = receipt.persistentModelID
            #expect(id.storeIdentifier?.hasSuffix("@acme") == true)
            #expect(throws: SwiftDataError.unknownSchema) { _ = try beta.existingModel(for: id) as Receipt? }
            // By hand the server refuses it, in both directions.
            await #expect(throws: SwiftDataError.storeFailure) {
                try await acme.execute("UPDATE receipt SET tenant = 'beta'")
            }
            await #expect(throws: SwiftDataError.storeFailure) {
                try await acme.execute("INSERT INTO sticker (tenant, name) VALUES ('beta', 'x')")
            }
            acme.settings = ["Strata.Tenant": "beta", "row_security": "off", "app.zone": "1"]
            let setting = await #expect(throws: SwiftDataError.self) { try await acme.save() }
            #expect(
                setting?.message
                    == "The settings of a context name Strata.Tenant, row_security, by which its container says whose rows are seen. Leave it out, and ask for the "
                    + "container of another tenant: container.tenant(_:).")
            #expect(try await acme.fetchCount(FetchDescriptor<Receipt>()) == 1)
        }
    }

    @Test func `without a tenant nothing is sent for a class that has one`() async throws {
        try await withRowTenants { store in
            let context = ModelContext(store.container)
            store.recorder.reset()
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Refund>())
            }
            #expect(error?.code == .missingTenant)
            #expect(
                error?.message
                    == "Refund has rows of many tenants (Receipt.tenant), and this context is of none: PostgreSQL would show it nothing. Make it of a "
                    + "tenant's container: try await container.tenant(\"…\").")
            await expectCode(.missingTenant) {
                try await context.fetchCount(FetchDescriptor<Sticker>())
            }
            await expectCode(.missingTenant) { try await context.fetchCount(FetchDescriptor<CustomerCount>()) }
            await expectCode(.missingTenant) { try context.delete(model: Sticker.self) }
            context.insert(Sticker("x"))
            await expectCode(.missingTenant) { try await context.save() }
            #expect(store.recorder.statements == [])
            for name in ["", "a\0b"] {
                await #expect(throws: SwiftDataError.invalidTenantName) { try await store.container.tenant(name) }
            }
        }
    }

    private func expectCode(
        _ code: SwiftDataError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> some Any
    ) async {
        let error = await #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation) { _ = try await body() }
        #expect(error?.code == code, sourceLocation: sourceLocation)
    }

    @Test func `a role that policies do not bind gets no tenant, and one that they bind not all`() async throws {
        try await withRowTenants { store in
            let superuser = await #expect(throws: SwiftDataError.self) { try await store.administration.tenant("acme") }
            #expect(superuser?.code == .unsupportedFeature)
            #expect(
                superuser?.message.hasPrefix("The tenant \"acme\" would see the rows of others: the role \"") == true)
            #expect(
                superuser?.message.hasSuffix(
                    "\" is a superuser or has BYPASSRLS, and PostgreSQL follows no policy for it. Connect as a role without both, which may own the "
                        + "tables.") == true)
            let bound = await #expect(throws: SwiftDataError.self) { try await store.container.allTenants() }
            #expect(
                bound?.message
                    == "The role \"\(store.role)\" does not see all rows of receipt, receipt_labels, receipt_line, refund, sticker: it is bound by their policies. "
                    + "Connect as a superuser, or as a role with BYPASSRLS: ALTER ROLE … BYPASSRLS.")
            await #expect(throws: SwiftDataError.storeFailure) { try await store.container.tenantNames() }
            await #expect(throws: SwiftDataError.unsupportedFeature) { try await store.container.createTenant("acme") }

            let everybody = ModelContext(try await store.administration.allTenants())
            for (number, tenant) in ["acme", "beta"].enumerated() {
                let receipt = Refund(number, customer: tenant, reason: "r")
                receipt.tenant = tenant
                everybody.insert(receipt)
                everybody.insert(ReceiptLine("line", of: receipt))
            }
            let nobody = await #expect(throws: SwiftDataError.self) { try await everybody.save() }
            #expect(nobody?.code == .otherTenant)
            for line in everybody.insertedModelsArray.compactMap({ $0 as? ReceiptLine }) {
                line.tenant = line.receipt.tenant
            }
            try await everybody.save()
            #expect(try await everybody.fetchCount(FetchDescriptor<Refund>()) == 2)
            #expect(try await store.administration.tenantNames() == ["acme", "beta"])
            // An administrator leads nothing across either, changes nobody's tenant, and stores nobody's rows.
            let both = try await everybody.fetch(FetchDescriptor<Refund>(sortBy: [SortDescriptor(\.number)]))
            both[0].tenant = "beta"
            await expectCode(.otherTenant) { try await everybody.save() }
            everybody.rollback()
            let line = ReceiptLine("x", of: both[0])
            line.tenant = "beta"
            everybody.insert(line)
            await expectCode(.otherTenant) { try await everybody.save() }
            everybody.rollback()
            let sticker = Sticker("s")
            sticker.tenant = "acme"
            everybody.insert(sticker)
            sticker.receipts = [both[1]]
            await expectCode(.otherTenant) { try await everybody.save() }
            everybody.rollback()
            await expectCode(.otherTenant) {
                try await everybody.insert(into: Sticker.self, \.name, \.tenant, rows: [("a", "acme"), ("b", "")])
            }
            #expect(try await everybody.fetchCount(FetchDescriptor<Sticker>()) == 0)
            // A tenant's rows go, of classes that require each other.
            try await store.container.deleteTenant("acme")
            #expect(try await store.administration.tenantNames() == ["beta"])
            try await store.administration.deleteTenant("beta")
            #expect(try await store.database.texts("SELECT count(*)::text FROM refund") == ["0"])
        }
    }

    @Test func `the owner of the tables is bound too`() async throws {
        try await withRowTenants(owns: true) { store in
            for name in ["acme", "beta"] {
                let context = try await ModelContext(store.container, tenant: name)
                context.insert(Refund(1, customer: name, reason: "r"))
                try await context.save()
                #expect(try await context.fetchCount(FetchDescriptor<Receipt>()) == 1)
            }
            #expect(try await ModelContext(store.container).fetch(Int.self, sql: "SELECT count(*) FROM receipt") == [0])
            #expect(try await store.customers("beta") == ["beta"])
        }
    }

    @Test func `history is shown to nobody, and results follow it`() async throws {
        try await withRowTenants { store in
            let acme = try await store.container.tenant("acme")
            let context = ModelContext(acme)
            context.insert(Sticker("first"))
            try await context.save()
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                try await context.fetchHistory(HistoryDescriptor())
            }
            await #expect(throws: SwiftDataError.unsupportedFeature) { try await acme.pruneHistory(olderThan: .now) }
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                for try await _ in acme.history(after: .beginning) {}
            }
            await #expect(throws: SwiftDataError.unsupportedFeature) {
                try await acme.historyConsumer("c").catchUp { _, _ in }
            }
            let erased = await #expect(throws: SwiftDataError.self) { try await acme.erase() }
            #expect(erased?.message.contains("container.deleteTenant(\"acme\")") == true)
            var results = acme.results(of: FetchDescriptor<Sticker>()).makeAsyncIterator()
            #expect(try await results.next()?.map(\.name) == ["first"])
            let beta = try await ModelContext(store.container, tenant: "beta")
            beta.insert(Sticker("theirs"))
            try await beta.save()
            context.insert(Sticker("second"))
            try await context.save()
            var names: [String] = []
            while names.count < 2 { names = try await results.next()?.map(\.name).sorted() ?? ["none", "none"] }
            #expect(names == ["first", "second"])
        }
    }

    @Test func `a table that has lost its policy is not used`() async throws {
        try await withRowTenants { store in
            try await store.database.execute(
                "ALTER TABLE sticker NO FORCE ROW LEVEL SECURITY", "ALTER TABLE sticker DISABLE ROW LEVEL SECURITY")
            let lost = await #expect(throws: SwiftDataError.self) { try await store.container.tenant("acme") }
            #expect(
                lost?.message
                    == "The tenant \"acme\" would see the rows of others: row-level security is not active for sticker. Open the container once with a role "
                    + "that may create the policies, or apply the migrations.")
            let url = try #require(store.database.foundationURL)
            let misfit = await #expect(throws: SwiftDataError.self) { try await RowTenantStore.container(of: url) }
            #expect(misfit?.code == .storeDoesNotFit)
            #expect(
                misfit?.message.contains(
                    "- the policy strata_tenant of sticker does not keep tenants apart as the schema says, or row-level security is not enabled and forced, or "
                        + "another policy permits more: write a migration") == true)
        }
    }

    @Test func `a view that asks as its owner is not used, nor is a replica that is read as another role`() async throws
    {
        try await withRowTenants { store in
            try await store.database.execute("ALTER VIEW customer_count RESET (security_invoker)")
            let shown = await #expect(throws: SwiftDataError.self) { try await store.container.tenant("acme") }
            #expect(
                shown?.message
                    == "The tenant \"acme\" would see the rows of others: what their owners may see is shown by the views customer_count. ALTER VIEW … SET "
                    + "(security_invoker = true).")
            let url = try #require(store.database.foundationURL)
            let misfit = await #expect(throws: SwiftDataError.self) { try await RowTenantStore.container(of: url) }
            #expect(misfit?.message.contains("- view customer_count shows what its owner may see") == true)
            let replica = await #expect(throws: SwiftDataError.self) {
                try await RowTenantStore.container(of: url) {
                    $0.replicas = [url.appending(queryItems: [URLQueryItem(name: "user", value: store.role)])]
                }
            }
            #expect(replica?.code == .unsupportedFeature)
            #expect(replica?.message.contains("reads from a replica as another role") == true)
        }
    }
}
