# Everything people and CI do here. Works as root and not, without Docker; with DATABASE_URL or PG* set, tests and
# examples use that server, otherwise a private one.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo trips-server studio test test-fast test-macros test-modes test-template test-pages test-operated test-pooler test-citus test-web test-cost soak mutate deps build build-benchmarks lint format migrations docs bench \
	bench-compile bench-observed bench-observing bench-migrations bench-history bench-web clean

# What all builds of `make test` are told besides. Others than those of the build before compile everything anew.
BUILD_FLAGS ?=
export BUILD_FLAGS
# How many tests run at the same time: each may hold a few connections of the server.
TEST_WIDTH ?= 8
# How many minutes each run of tests may take: one that hangs says where (scripts/run-tests.py).
TEST_MINUTES ?= 30
export TEST_MINUTES
# The most that `make soak` may take, in minutes, the parts of it by a pattern, and the tests of `make test-fast`.
MINUTES ?= 240
PARTS ?= .
FILTER ?=
# The rows of `make bench-migrations`.
ROWS ?= 5000000
# A package of its own, built beside the others' objects.
# Linked as services are (Examples/Shop/Dockerfile).
BENCHMARKS := --package-path Benchmarks --scratch-path .build -c release --static-swift-stdlib
# A service that asks for traits, with which Strata's modules are compiled once more: in a folder of their own, so that neither build
# undoes the other. CI builds once, and shares the objects of swift-syntax.
OPERATED_BUILD ?= .build-operated
OPERATED := --package-path Examples/OperatedService --scratch-path $(OPERATED_BUILD) --disable-build-manifest-caching
# Packages with a folder of their own: SwiftPM would remove their dependencies' checkouts with every build of the others.
WEB := --package-path Packages/StrataHummingbird --scratch-path .build-web
STUDIO := --package-path Packages/StrataStudio --scratch-path .build-web
TRIPS_SERVER := --package-path Examples/TripsServer --scratch-path .build-web
SOURCES := $(wildcard Sources Macros Tests Examples Benchmarks Plugins Packages Package.swift)
TESTING := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(TEST_WIDTH) SWIFT_BACKTRACE=enable=no

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 24

demo: deps ## Install what is missing, start a private server, run SampleTrips
	swift run SampleTrips

trips-server: deps ## Start a private server and Examples/TripsServer, a web service with a live page, on http://127.0.0.1:8080
	swift run --disable-build-manifest-caching $(TRIPS_SERVER) TripsServer

studio: deps ## Fill the private server with the sample's data and open Packages/StrataStudio on it: prints a link for a browser
	swift run SampleTrips
	swift run --disable-build-manifest-caching $(STUDIO) strata-studio --local --allow-edits

test: deps lint build ## All tests: format, build without warnings, tests on PostgreSQL, the example and its migrations
	swift run --skip-build SampleTripsMigrations generate --check
	$(TESTING) scripts/run-tests.py --skip-build
	swift run --skip-build SampleTrips
	scripts/build-documentation.sh
	$(MAKE) test-macros
	$(MAKE) test-modes
	$(MAKE) test-template
	$(MAKE) test-pages
	$(MAKE) test-operated
	$(MAKE) test-web

test-macros: ## The tests of the macros, which are a package of their own: swift test --package-path Macros --scratch-path .build
	swift test --skip-build --disable-build-manifest-caching --package-path Macros --scratch-path .build

test-operated: deps ## The tests of what package traits add (StrataService), in a package of its own
	swift build $(BUILD_FLAGS) $(OPERATED) --build-tests --explicit-target-dependency-import-check error 2>&1 | scripts/refuse-warnings.sh operated
	$(TESTING) scripts/run-tests.py --skip-build $(OPERATED)

test-modes: ## Type-check the sources written as apps are in both language modes, beside a build
	@scripts/check-ported-modes.sh

test-template: deps ## Make a package as `strata new` does, build it beside the others' objects, run its program and its tests
	@scripts/check-template.sh

test-pages: deps ## Do what the pages FromAFirstFetch and AnHourWithAService say, beside a build: their files, their commands in their order
	@scripts/check-page.py FromAFirstFetch
	@scripts/check-page.py AnHourWithAService

test-pooler: deps ## The tests that stand behind PgBouncer, which is fetched; STRATA_PGBOUNCER names another one
	@if program=$$(scripts/fetch-pgbouncer.sh); then \
		STRATA_PGBOUNCER=$$program $(TESTING) scripts/run-tests.py --skip-build --disable-build-manifest-caching --filter PgBouncer; \
	else echo "test-pooler: PgBouncer is not to be had here, its tests are skipped" >&2; fi

test-citus: deps ## After a build, the tests that stand on Citus: STRATA_CITUS_URL names its coordinator; scripts/citus.sh builds and starts one
	@test -n "$${STRATA_CITUS_URL:-}" || { echo "Name a coordinator in STRATA_CITUS_URL; scripts/citus.sh starts one" >&2; exit 2; }
	$(TESTING) scripts/run-tests.py --skip-build --disable-build-manifest-caching --filter Citus

test-web: deps ## The tests of StrataHummingbird, StrataStudio and Examples/TripsServer, and the page AServiceOverHTTP: with SwiftNIO and Hummingbird, some minutes of compiling
	@scripts/build-web.sh
	$(TESTING) scripts/run-tests.py --skip-build --disable-build-manifest-caching $(WEB)
	$(TESTING) scripts/run-tests.py --skip-build --disable-build-manifest-caching $(STUDIO)
	$(TESTING) scripts/run-tests.py --skip-build --disable-build-manifest-caching $(TRIPS_SERVER)
	@scripts/check-page.py AServiceOverHTTP --scratch-path .build-web --versions Packages/StrataHummingbird

test-fast: ## Build and run some tests only: make test-fast FILTER='UndoTests|DeleteTests'
	@test -n "$(FILTER)" || { echo "Say which: make test-fast FILTER='UndoTests|DeleteTests'" >&2; exit 2; }
	swift build $(BUILD_FLAGS) --disable-build-manifest-caching --product strataPackageTests
	$(TESTING) swift test --skip-build --filter '$(FILTER)'

test-cost: build ## The tests with the processor's time that they and their servers take
	$(TESTING) scripts/measure.py scripts/run-tests.py --skip-build

soak: deps ## What tests do not do every time, on PostgreSQL 15 to 18, for at most MINUTES=240; PARTS=Thread runs one part
	@scripts/soak.sh $(MINUTES) '$(PARTS)'

mutate: ## Break 31 places of the sources, one at a time, and say which suites notice (an hour)
	@scripts/mutate.sh

build-benchmarks: deps ## Compile all benchmarks, in debug mode
	@scripts/build-benchmarks.sh

deps: ## Install PostgreSQL, libpq and pkg-config when they are missing
	@scripts/install-dependencies.sh

build: deps ## Build all but the benchmarks; a warning in our own sources or an undeclared import is an error
	@scripts/build.sh

lint: ## Check the format, and what no compiler checks: isolation, what may be sent, what an application links, generated text, folders, the page of the architecture, links between pages
	swift format lint --strict --parallel --recursive $(SOURCES)
	@scripts/check-isolation.sh
	@scripts/check-sendable.py
	@scripts/check-application-modules.sh
	@scripts/check-generated-text.py
	@scripts/check-folders.py
	@scripts/check-architecture.py
	@scripts/check-links.py
	@scripts/write-template.py --check

format: ## Apply the format
	swift format --in-place --parallel --recursive $(SOURCES)

migrations: deps ## Write the migration files that the example's plan lacks
	swift run SampleTripsMigrations generate

docs: build ## Build the documentation into docs/; a dead link is an error
	@scripts/build-documentation.sh

bench: deps ## Build in release mode and run the benchmarks beside C on libpq (20 minutes); CHECK=1 fails where a bar is missed
	swift run $(BENCHMARKS) StrataBenchmarks --json .build/benchmarks.json $(if $(CHECK),--check)

bench-compile: build ## What models and predicates cost to compile: CPU time of compiler and macros, apart (2 minutes)
	swiftc -swift-version 6 -parse-as-library Benchmarks/Compile/CompileBenchmark.swift -o .build/compile-benchmark
	.build/compile-benchmark "$$(swift build --show-bin-path)" "$$(pg_config --includedir)"

bench-observed: deps ## Measure what metrics and traces cost on W4 and W10 (6 minutes)
	swift run $(OPERATED) -c release ObservedCost

bench-observing: deps ## Measure what observing history costs: writers, latency, idle observers (3 minutes)
	swift run $(BENCHMARKS) StrataObservingBenchmarks

bench-migrations: deps ## Migrate a table of 5 million rows (ROWS) beside a reader and a writer, and the same by hand (20 minutes)
	swift run -c release StrataMigrationBenchmarks --rows $(ROWS)

bench-history: deps ## What recording and reading cost: by hand as recommended, and Strata's, in turn (10 minutes)
	swift run -c release StrataHistoryBenchmarks record
	swift run -c release StrataHistoryBenchmarks read

bench-web: deps ## Load on routes of Examples/TripsServer beside the same on plain libpq; needs wrk
	swift run --disable-build-manifest-caching $(TRIPS_SERVER) -c release TripsLoad

clean: ## Remove what was built; the data in .strata/ stay
	rm -rf .build .build-operated .build-web docs
