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
    ]
}
