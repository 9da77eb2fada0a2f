#!/usr/bin/env bash
# Breaks 31 places of the sources (mutants.py), one at a time, and says which suites notice; see mutate.py.
exec python3 "$(dirname "$0")/mutate.py" "$@"
