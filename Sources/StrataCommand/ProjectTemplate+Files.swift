// Written by scripts/write-template.py from Examples/Shop.
// swift-format-ignore-file

extension ProjectTemplate {
    /// The files with their paths.
    static let files: [(path: String, text: String)] = [
        (
".dockerignore",
##"""
.build
.git
.strata
.swiftpm

"""##
        ),
        (
".github/workflows/ci.yml",
##"""
name: CI

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 45
    container: swift:6.3-bookworm
    services:
      postgres:
        image: postgres:17
        env:
          POSTGRES_PASSWORD: postgres
        options: >-
          --health-cmd "pg_isready -U postgres" --health-interval 2s --health-timeout 5s --health-retries 30
    env:
      DATABASE_URL: postgres://postgres:postgres@postgres:5432/postgres
    steps:
      - run: apt-get update --quiet && apt-get install --yes --no-install-recommends libpq-dev pkg-config
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
          fetch-depth: 0
      # Package.swift takes Strata from a folder of the machine where it was made: check it out here too, or name its URL and a branch there,
      # and then delete this step.
      - run: test -d ../../Sources/Strata || { echo "Strata is not in ../..; see the comment above this step" >&2; exit 1; }
      - run: swift build --build-tests
      - run: swift test --skip-build
      - run: swift run --skip-build ShopMigrations generate --check
      - run: swift run --skip-build ShopMigrations lint --format github

"""##
        ),
        (
".gitignore",
##"""
.build/
.strata/
.swiftpm/

"""##
        ),
        (
"Dockerfile",
##"""
# syntax=docker/dockerfile:1
# Two programs, Shop and ShopMigrations, in an image without a compiler.
FROM swift:6.3-bookworm AS build
RUN apt-get update --quiet \
    && apt-get install --yes --no-install-recommends libpq-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build/package/program
# Strata's sources, from the path that Package.swift names: docker build --build-context strata=../.. .
COPY --from=strata . ../..
# Dependencies are fetched anew only when the manifest has changed.
COPY Package.* ./
RUN swift package resolve
COPY Sources Sources
RUN mkdir -p Tests/ShopTests && touch Tests/ShopTests/None.swift \
    && swift build --configuration release --static-swift-stdlib --product Shop \
    && swift build --configuration release --static-swift-stdlib --product ShopMigrations \
    && mkdir /programs \
    && install --strip "$(swift build --configuration release --show-bin-path)/Shop" \
        "$(swift build --configuration release --show-bin-path)/ShopMigrations" /programs

FROM debian:bookworm-slim
RUN apt-get update --quiet \
    && apt-get install --yes --no-install-recommends ca-certificates libpq5 libssl3 libstdc++6 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home shop
WORKDIR /srv/shop
COPY --from=build /programs/ /usr/local/bin/
COPY migrations migrations
USER shop
# Memory that a large result has had is used again, up to 64 MiB: to give it back and ask for it anew takes a fifth of a fetch of 100,000 objects.
ENV MALLOC_TOP_PAD_=67108864
# Tables are changed by ShopMigrations, before the program is rolled out.
ENV MIGRATIONS=verify
ENTRYPOINT ["Shop"]
CMD ["list"]

"""##
        ),
        (
"Package.swift",
##"""
// swift-tools-version: 6.1
import PackageDescription

/// A function that takes a context runs where its caller runs.
let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "Shop",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "strata", path: "../..")
    ],
    targets: [
        .target(
            name: "ShopModels",
            dependencies: [.product(name: "Strata", package: "strata")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Shop",
            dependencies: ["ShopModels", .product(name: "Strata", package: "strata")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ShopMigrations",
            dependencies: ["ShopModels", .product(name: "StrataMigrationTool", package: "strata")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "ShopModels",
                .product(name: "Strata", package: "strata"),
                .product(name: "StrataTesting", package: "strata"),
            ],
            swiftSettings: settings
        ),
    ]
)

"""##
        ),
        (
"README.md",
##"""
# Shop

Products and orders in PostgreSQL, by [Strata](../..).

```
swift run Shop add Tea 450 20      # starts a private PostgreSQL for this folder where no other is named
swift run Shop order Tea 2
swift run Shop list
swift test                         # each test has a database of its own
```

It needs Swift 6.3, libpq with headers, pkg-config, and for the private server PostgreSQL's programs: on Debian and Ubuntu
`apt-get install libpq-dev pkg-config postgresql`. `DATABASE_URL` names another server.

## What is where

| | |
|---|---|
| `Sources/ShopModels` | the classes, their versions, the migration plan, and what is done with objects |
| `Sources/Shop` | the program |
| `Sources/ShopMigrations` | the commands for migrations |
| `migrations` | the SQL of each version, to be reviewed and committed |
| `Tests/ShopTests` | tests with a store each |
| `Dockerfile`, `compose.yaml` | an image without a compiler, and a server beside it |
| `.github/workflows/ci.yml` | what a pull request is checked for |

## Change a class

Copy `CatalogV1.swift` to `CatalogV2.swift` with the version 2.0.0 and change it there. Add it to the plan, with a stage, and let `Catalog` be
`CatalogV2`. Then:

```
swift run ShopMigrations generate  # writes the files of the new version
swift run ShopMigrations plan --local   # what it would do to the database
```

A file that nobody has applied yet is written anew by `generate --rewrite`.

## Deploy

```
docker compose run --rm shop list
```

builds the image, starts a server, applies the migrations and runs the program. In an image the program does not change tables
(`MIGRATIONS=verify`): `ShopMigrations apply` runs before it is rolled out.

## In production

Both programs find the database by `DATABASE_URL`, which the platform sets, and its URL has no password:

```
DATABASE_URL=postgres://shop@db.example.com/shop?sslmode=verify-full
PGPASSFILE=/run/secrets/pgpass
```

The password comes from the file that `PGPASSFILE` names, a mounted secret with a line such as `db.example.com:5432:shop:shop:…`. libpq reads it for each
connection, so a new password needs no restart. It must belong to the program's user with the mode 0600, else libpq leaves it out. A password in the URL would be seen by
whoever sees the process's environment; neither program writes one into a log or an error, wherever it came from. The image has no PostgreSQL of its own, so a
variable that was forgotten is an error there and not a private server. `compose.yaml` has a password for everybody to read: it is for a desk.

Two roles are enough: `shop_owner`, with which `ShopMigrations apply` runs, owns the tables, and `shop` reads and writes rows. Once, as `shop_owner`, when the tables are there:

```sql
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO shop;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO shop;
```

and `ShopMigrations history grant shop --application` for what Strata keeps beside them.

"""##
        ),
        (
"Sources/Shop/Shop.swift",
##"""
import Foundation
import ShopModels
import Strata

/// `Shop add NAME CENTS STOCK`, `Shop order NAME QUANTITY` and `Shop list`.
@main
struct Shop {
    static func main() async {
        do {
            let container = try await ModelContainer(
                for: Schema(versionedSchema: Catalog.self), migrationPlan: CatalogPlan.self, migrations: policy)
            try await run(Array(CommandLine.arguments.dropFirst()), container)
            await container.close()
        } catch {
            // Thrown from main, it would come with a crash report of Swift's.
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    /// At a desk the program makes and changes its tables by itself. Where it runs for others, `ShopMigrations apply` does it before,
    /// and the program only looks whether it was done: set `MIGRATIONS=verify` there.
    static var policy: MigrationPolicy {
        ProcessInfo.processInfo.environment["MIGRATIONS"] == "verify" ? .verify : .apply
    }

    static func run(_ arguments: [String], _ container: ModelContainer) async throws {
        switch (arguments.first, arguments.count) {
        case ("add", 4):
            guard let price = Int(arguments[2]), let stock = Int(arguments[3]) else { return usage() }
            try await container.withContext { context in
                context.insert(Product(name: arguments[1], price: price, stock: stock))
            }
        case ("order", 3):
            guard let quantity = Int(arguments[2]), quantity > 0 else { return usage() }
            try await container.withContext { context in
                _ = try await context.placeOrder(of: arguments[1], quantity: quantity)
            }
        case ("list", 1):
            let lines = try await container.read(lazyLoading: .forbidden) { context in
                let products = try await context.fetch(FetchDescriptor<Product>(sortBy: [SortDescriptor(\.name)]))
                return products.map { "\($0.name): \($0.stock) at \($0.price) cents" }
                    + (try await context.newestOrders().map {
                        "\($0.placed.formatted(.iso8601)) \($0.quantity) \($0.product?.name ?? "")"
                    })
            }
            for line in lines { print(line) }
        default:
            usage()
        }
    }

    static func usage() {
        print("Shop add NAME CENTS STOCK | Shop order NAME QUANTITY | Shop list")
    }
}

"""##
        ),
        (
"Sources/ShopMigrations/ShopMigrations.swift",
##"""
import ShopModels
import StrataMigrationTool

/// The commands for migrations: `swift run ShopMigrations help`.
@main struct ShopMigrations: MigrationTool {
    static var plan: any SchemaMigrationPlan.Type { CatalogPlan.self }
}

"""##
        ),
        (
"Sources/ShopModels/CatalogPlan.swift",
##"""
import Strata

/// All versions, and how one becomes the next. `swift run ShopMigrations generate` writes the files of what is new here.
public enum CatalogPlan: SchemaMigrationPlan {
    /// The versions, oldest first.
    public static var schemas: [any VersionedSchema.Type] { [CatalogV1.self] }
    /// A stage for every pair of neighbours.
    public static var stages: [MigrationStage] { [] }
}

/// The newest version, which the program works with.
public typealias Catalog = CatalogV1
/// The newest version's products.
public typealias Product = Catalog.Product
/// The newest version's orders.
public typealias Order = Catalog.Order

"""##
        ),
        (
"Sources/ShopModels/CatalogV1.swift",
##"""
import Strata

/// The first version: products, and the orders of each.
public enum CatalogV1: VersionedSchema {
    /// 1.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    /// The classes of this version.
    public static var models: [any PersistentModel.Type] { [Product.self, Order.self] }

    /// Something that can be ordered.
    @Model
    public final class Product {
        /// What it is called.
        @Attribute(.unique) public var name: String
        /// In cents.
        public var price: Int
        /// How many there are.
        public var stock: Int
        /// Who wants some.
        @Relationship(deleteRule: .cascade, inverse: \Order.product) public var orders: [Order] = []

        /// A product that nobody has ordered.
        public init(name: String, price: Int, stock: Int) {
            self.name = name
            self.price = price
            self.stock = stock
        }
    }

    /// So many of one product.
    @Model
    public final class Order {
        #Index<Order>([\.placed])
        /// How many.
        public var quantity: Int
        /// When it was ordered.
        public var placed: Date
        /// Of what.
        public var product: Product?

        /// An order that was placed now, unless another time is given.
        public init(quantity: Int, placed: Date = .now, product: Product) {
            self.quantity = quantity
            self.placed = placed
            self.product = product
        }
    }
}

"""##
        ),
        (
"Sources/ShopModels/Orders.swift",
##"""
import Strata

/// Why an order was refused.
public enum OrderError: Error, Equatable {
    case unknownProduct(String)
    case outOfStock(left: Int)
}

extension ModelContext {
    /// Takes so many of a product from the stock. Not saved.
    @discardableResult
    public func placeOrder(of name: String, quantity: Int) async throws -> Order {
        var descriptor = FetchDescriptor(predicate: #Predicate<Product> { $0.name == name })
        descriptor.fetchLimit = 1
        guard let product = try await fetch(descriptor).first else { throw OrderError.unknownProduct(name) }
        guard product.stock >= quantity else { throw OrderError.outOfStock(left: product.stock) }
        product.stock -= quantity
        let order = Order(quantity: quantity, product: product)
        insert(order)
        return order
    }

    /// The newest orders, each with its product.
    public func newestOrders(limit: Int = 20) async throws -> [Order] {
        var descriptor = FetchDescriptor<Order>(sortBy: [SortDescriptor(\.placed, order: .reverse)])
        descriptor.fetchLimit = limit
        descriptor.relationshipKeyPathsForPrefetching = [\.product]
        return try await fetch(descriptor)
    }
}

"""##
        ),
        (
"Tests/ShopTests/OrdersTests.swift",
##"""
import ShopModels
import Strata
import StrataTesting
import Testing

enum Sample {
    static let product = Factory { number in Product(name: "Product \(number)", price: 100, stock: 10) }
}

@Suite struct OrdersTests {
    /// Runs a test with a store of its own, whose tables the migration plan has made.
    private func withStore(_ body: (ModelContainer) async throws -> Void) async throws {
        try await withTestStore(
            for: Schema(versionedSchema: Catalog.self), migrationPlan: CatalogPlan.self, body)
    }

    @Test func anOrderTakesFromTheStock() async throws {
        try await withStore { container in
            let context = ModelContext(container)
            Sample.product.insert(into: context) { $0.name = "Tea" }
            try await context.save()
            try await context.placeOrder(of: "Tea", quantity: 3)
            try await context.save()
            let product = try await ModelContext(container).fetch(FetchDescriptor<Product>()).first
            #expect(product?.stock == 7)
        }
    }

    @Test func whatIsNotThereCannotBeOrdered() async throws {
        try await withStore { container in
            let context = ModelContext(container)
            let product = Sample.product.insert(into: context) { $0.stock = 2 }
            try await context.save()
            await #expect(throws: OrderError.outOfStock(left: 2)) {
                _ = try await context.placeOrder(of: product.name, quantity: 3)
            }
            await #expect(throws: OrderError.unknownProduct("Coffee")) {
                _ = try await context.placeOrder(of: "Coffee", quantity: 1)
            }
            #expect(product.stock == 2)
        }
    }

    @Test func theListOfOrdersIsTwoStatementsAndReadsAnIndex() async throws {
        try await withStore { container in
            let context = ModelContext(container)
            for product in Sample.product.insert(3, into: context) {
                context.insert(Order(quantity: 1, product: product))
            }
            try await context.save()
            let reading = ModelContext(container)
            try await expectStatements("fetch Order", "load Order.product", in: container) {
                try await expectNoLazyLoading(in: container) {
                    let orders = try await reading.newestOrders()
                    #expect(orders.compactMap(\.product?.name).count == 3)
                }
            }
            let newest = FetchDescriptor<Order>(sortBy: [SortDescriptor(\.placed, order: .reverse)])
            try await expectIndex(for: newest, in: reading)
        }
    }
}

"""##
        ),
        (
"compose.yaml",
##"""
# A server, the migrations, and the program: docker compose run --rm shop list
# For a desk: in production the URL has no password (README, "In production").
services:
  postgres:
    image: postgres:17
    environment:
      POSTGRES_DB: shop
      POSTGRES_PASSWORD: shop
    volumes:
      - data:/var/lib/postgresql/data
    healthcheck:
      test: ["CMD-SHELL", "pg_isready --username postgres --dbname shop"]
      interval: 2s
      timeout: 5s
      retries: 30

  migrations:
    image: shop
    build: &build
      context: .
      additional_contexts:
        strata: ../..
    entrypoint: ["ShopMigrations"]
    command: ["apply", "--wait", "60s"]
    environment: &database
      DATABASE_URL: postgres://postgres:shop@postgres:5432/shop
    depends_on:
      postgres:
        condition: service_healthy

  shop:
    image: shop
    build: *build
    environment: *database
    depends_on:
      migrations:
        condition: service_completed_successfully

volumes:
  data:

"""##
        ),
        (
"migrations/0001_v1.sql",
##"""
-- Migration 0001_v1: to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0001_v1.sql
-- from: nothing
-- to: 1.0.0 4db4b74e7b67788a11504fd8ada77222cdc52aabbbf261a88b8d95e8f9b92e98
-- schema: public
-- down: none
-- because: it creates the first version: dropping the tables would drop all data
-- checks: none
-- generated: none 1901ad1e81d6671d3e15b15a1bbb5550c08d1745764121a39721127a69f54586

SELECT "strata"."migration_begin"(3, 'public', '0001_v1', NULL, NULL, '1.0.0');

-- step 1.1 phase=expand tx=own lock=None lock_timeout=2s timeout=60s
--   create the tables of version 1.0.0
-- operation: create-version ebc24827
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE SCHEMA IF NOT EXISTS "public";
CREATE TABLE "public"."order" (
    "pk" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY (MINVALUE 1 MAXVALUE 1099511627775),
    "quantity" bigint NOT NULL,
    "placed" timestamptz NOT NULL,
    "product" bigint,
    CONSTRAINT "order_pkey" PRIMARY KEY ("pk")
);
CREATE TABLE "public"."product" (
    "pk" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY (MINVALUE 1 MAXVALUE 1099511627775),
    "name" text COLLATE "C" NOT NULL,
    "price" bigint NOT NULL,
    "stock" bigint NOT NULL,
    CONSTRAINT "product_pkey" PRIMARY KEY ("pk"),
    CONSTRAINT "product_name_key" UNIQUE ("name")
);
ALTER TABLE "public"."order" ADD CONSTRAINT "order_product_fkey" FOREIGN KEY ("product") REFERENCES "public"."product" ("pk") ON DELETE CASCADE;
CREATE INDEX "order_placed_idx" ON "public"."order" ("placed");
CREATE INDEX "order_product_idx" ON "public"."order" ("product");
INSERT INTO "strata"."store" ("schema_name") VALUES ('public') ON CONFLICT DO NOTHING;
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["Order"],"name":"Order","table":"order","properties":[
    {"column":"placed","name":"placed"}, {"column":"product","name":"product"},
    {"column":"quantity","name":"quantity"}]},
  {"classes":["Product"],"name":"Product","table":"product","properties":[
    {"column":"name","name":"name"}, {"column":"price","name":"price"}, {"column":"stock","name":"stock"}]}
], "links": [
]}$history$);
COMMIT;

-- step 1.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version dc79430f
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', '4db4b74e7b67788a11504fd8ada77222cdc52aabbbf261a88b8d95e8f9b92e98', '0001_v1');
COMMIT;

"""##
        ),
        (
"migrations/migrations.sum",
##"""
# Written by the migration tool. On a merge conflict take either side, then run rebase.
schema/V1.json 3519f63302a3dbf5d7f883eb98f3b48a141ca10f48c33f1e54125832e184bf4a c9d99a6fd2f7b997e676eba239888cd4f9b6333c0933012bf80f0e8284517345
0001_v1.sql 16a8336fa8d3bfd8608625096f429712f4e003474dd792eeafc4a1b81bd63ed7 88674dfb22b6e13d45d443d84043aa927cbb508f74ae443c8f59ef22a8fd15af

"""##
        ),
        (
"migrations/schema/V1.json",
##"""
{
  "database": {
    "sequences": [],
    "tables": [
      {
        "checks": [],
        "columns": [
          {
            "identity": {
              "isAlways": false,
              "maximum": 1099511627775,
              "minimum": 1
            },
            "isGenerated": false,
            "isNullable": false,
            "name": "pk",
            "type": "bigint"
          },
          {
            "isGenerated": false,
            "isNullable": false,
            "name": "quantity",
            "type": "bigint"
          },
          {
            "isGenerated": false,
            "isNullable": false,
            "name": "placed",
            "type": "timestamptz"
          },
          {
            "isGenerated": false,
            "isNullable": true,
            "name": "product",
            "type": "bigint"
          }
        ],
        "foreignKeys": [
          {
            "columns": ["product"],
            "name": "order_product_fkey",
            "onDelete": "CASCADE",
            "referencedColumns": ["pk"],
            "referencedTable": "product"
          }
        ],
        "indexes": [
          {
            "columns": ["placed"],
            "isUnique": false,
            "method": "btree",
            "name": "order_placed_idx"
          },
          {
            "columns": ["product"],
            "isUnique": false,
            "method": "btree",
            "name": "order_product_idx"
          }
        ],
        "name": "order",
        "primaryKey": {
          "columns": ["pk"],
          "name": "order_pkey"
        },
        "uniques": []
      },
      {
        "checks": [],
        "columns": [
          {
            "identity": {
              "isAlways": false,
              "maximum": 1099511627775,
              "minimum": 1
            },
            "isGenerated": false,
            "isNullable": false,
            "name": "pk",
            "type": "bigint"
          },
          {
            "collation": "C",
            "isGenerated": false,
            "isNullable": false,
            "name": "name",
            "type": "text"
          },
          {
            "isGenerated": false,
            "isNullable": false,
            "name": "price",
            "type": "bigint"
          },
          {
            "isGenerated": false,
            "isNullable": false,
            "name": "stock",
            "type": "bigint"
          }
        ],
        "foreignKeys": [],
        "indexes": [],
        "name": "product",
        "primaryKey": {
          "columns": ["pk"],
          "name": "product_pkey"
        },
        "uniques": [
          {
            "columns": ["name"],
            "isDeferrable": false,
            "name": "product_name_key"
          }
        ]
      }
    ]
  },
  "entities": [
    {
      "attributes": [
        {
          "column": "quantity",
          "isOptional": false,
          "name": "quantity",
          "options": [],
          "type": "bigint",
          "valueType": "Int"
        },
        {
          "column": "placed",
          "isOptional": false,
          "name": "placed",
          "options": [],
          "type": "timestamptz",
          "valueType": "Date"
        }
      ],
      "discriminator": "Order",
      "indexes": [
        {
          "method": "btree",
          "properties": ["placed"]
        }
      ],
      "name": "Order",
      "relationships": [
        {
          "deleteRule": "nullify",
          "destination": "Product",
          "inverse": "orders",
          "isOptional": true,
          "isToOne": true,
          "maximumCount": 0,
          "minimumCount": 0,
          "name": "product",
          "storage": {
            "foreignKey": {
              "column": "product",
              "table": "order"
            }
          }
        }
      ],
      "table": "order",
      "uniques": []
    },
    {
      "attributes": [
        {
          "column": "name",
          "isOptional": false,
          "name": "name",
          "options": ["unique"],
          "type": "text",
          "valueType": "String"
        },
        {
          "column": "price",
          "isOptional": false,
          "name": "price",
          "options": [],
          "type": "bigint",
          "valueType": "Int"
        },
        {
          "column": "stock",
          "isOptional": false,
          "name": "stock",
          "options": [],
          "type": "bigint",
          "valueType": "Int"
        }
      ],
      "discriminator": "Product",
      "indexes": [],
      "name": "Product",
      "relationships": [
        {
          "deleteRule": "cascade",
          "destination": "Order",
          "inverse": "product",
          "isOptional": false,
          "isToOne": false,
          "maximumCount": 0,
          "minimumCount": 0,
          "name": "orders",
          "storage": {
            "inverseForeignKey": {
              "column": "product",
              "table": "order"
            }
          }
        }
      ],
      "table": "product",
      "uniques": [
        ["name"]
      ]
    }
  ],
  "version": "1.0.0"
}

"""##
        ),
    ]
}
