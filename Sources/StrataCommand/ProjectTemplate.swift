/// The package in Examples/Shop, which is built and tested there: what a new package is a copy of.
enum ProjectTemplate {
    /// Where it finds Strata.
    static let pathOfStrata = "../.."

    /// What it needs only because Strata is a folder beside it.
    static let linesForPath = [
        """
        # Strata's sources, from the path that Package.swift names: docker build --build-context strata=../.. .
        COPY --from=strata . ../..

        """,
        """
              additional_contexts:
                strata: ../..

        """,
        """
              # Package.swift takes Strata from a folder of the machine where it was made: check it out here too, or name its URL and a branch there,
              # and then delete this step.
              - run: test -d ../../Sources/Strata || { echo "Strata is not in ../..; see the comment above this step" >&2; exit 1; }

        """,
    ]
}
